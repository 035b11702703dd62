package io.github.idem.jdbc;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.github.idem.Downstream;
import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import io.github.idem.identity.CallIdentity;
import io.github.idem.operation.Claim;
import io.github.idem.operation.ClaimRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What is left of a file database when the process that writes to it is killed. */
class H2DurabilityTest {

	@TempDir
	private Path directory;

	@Test
	void aProcessThatIsKilledAtOnceHasLeftItsClaimsAndOutcomes() throws Exception {
		String url = "jdbc:h2:file:" + this.directory.resolve("store");
		SchemaMigration.run(new DriverManagerDataSource(url), null, SchemaMode.MIGRATE);
		// H2 remembers a setting that it does not go by when it is opened again.
		JdbcOperationStore.create(new DriverManagerDataSource(url), "app", null);
		Process process = new ProcessBuilder(ProcessHandle.current().info().command().orElse("java"), "-cp",
				System.getProperty("java.class.path"), Claimer.class.getName(), url)
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		try (BufferedReader output = process.inputReader()) {
			output.lines().filter("written"::equals).findFirst().orElseThrow();
		}
		finally {
			process.destroyForcibly();
		}
		assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();

		JdbcOperationStore store = JdbcOperationStore.create(new DriverManagerDataSource(url), "app", null);

		assertThat(store.find("task0:call")).map(Operation::status).contains(OperationStatus.IN_PROGRESS);
		assertThat(store.find("task1:call")).map(Operation::status).contains(OperationStatus.SUCCEEDED);
		assertThat(store.find("task2:call")).map(Operation::status).contains(OperationStatus.IN_PROGRESS);
		assertThat(store.history("task1:call")).hasSize(2);
	}

	@Test
	void onlyAnInMemoryDatabaseIsVolatile() {
		assertThat(JdbcOperationStore
			.create(new DriverManagerDataSource("jdbc:h2:file:" + this.directory.resolve("kept")), "app", null)
			.isVolatile()).isFalse();
		for (String url : new String[] { "jdbc:h2:mem:volatile", "jdbc:h2:nioMemFS:volatile" }) {
			assertThat(JdbcOperationStore.create(new SingleConnectionDataSource(url, true), "app", null).isVolatile())
				.isTrue();
		}
	}

	/** Claims three operations, completes one of them, says so and waits to be killed. */
	static final class Claimer {

		private Claimer() {
		}

		public static void main(String[] args) throws InterruptedException {
			JdbcOperationStore store = JdbcOperationStore.create(new SingleConnectionDataSource(args[0], true), "app",
					null);
			for (int i = 0; i < 3; i++) {
				Claim claim = store.claim(new ClaimRequest(new CallIdentity("task" + i, "call", "charge", "1", "1"),
						null, null, Downstream.OPAQUE, "{}", "owner", Duration.ofMinutes(1)));
				if (i == 1) {
					store.complete((Claim.Granted) claim, "paid");
				}
			}
			System.out.println("written");
			Thread.sleep(Duration.ofMinutes(5).toMillis());
		}

	}

}
