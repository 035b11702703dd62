package io.github.idem.jdbc;

import java.io.IOException;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.github.idem.Downstream;
import io.github.idem.IdempotencyStoreException;
import io.github.idem.identity.CallIdentity;
import io.github.idem.operation.Claim;
import io.github.idem.operation.ClaimRequest;
import io.github.idem.testing.RestartablePostgres;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** A server that takes its time: every step comes to an end, and never to a wrong one. */
class PostgreSqlStallTest {

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final HikariDataSource pool = new HikariDataSource();

	private final JdbcTemplate jdbc = new JdbcTemplate(this.pool);

	private RestartablePostgres server;

	private JdbcOperationStore store;

	@BeforeEach
	void start() throws IOException {
		this.server = RestartablePostgres.start();
		this.pool.setJdbcUrl(this.server.url());
		this.pool.setMaximumPoolSize(1);
		SchemaMigration.run(elsewhere(), null, SchemaMode.MIGRATE);
		this.store = JdbcOperationStore.create(this.pool, "app", null);
	}

	@AfterEach
	void stop() throws IOException {
		this.threads.shutdownNow();
		this.pool.close();
		this.server.close();
	}

	@Test
	void aRowThatIsLockedForLongIsAClearErrorAndTheConnectionIsGivenBackAsItWas() throws Exception {
		Claim.Granted grant = (Claim.Granted) this.store.claim(request("a"));
		try (Connection somebody = elsewhere().getConnection(); Statement statement = somebody.createStatement()) {
			somebody.setAutoCommit(false);
			statement.execute("SELECT * FROM idem_operation FOR UPDATE");
			assertFailsInTime(() -> this.store.complete(grant, "secret"), "could not settle operation 'task:call'",
					"lock");
			somebody.rollback();
		}
		assertThat(this.store.find("task:call")).contains(grant.operation());
		try (Connection connection = this.pool.getConnection()) {
			assertThat(connection.getNetworkTimeout()).isZero();
		}
	}

	@Test
	void aServerThatNoLongerAnswersIsAnErrorAndNotAHang() throws Exception {
		Long backend = this.jdbc.queryForObject("SELECT pg_backend_pid()", Long.class);
		signal("STOP", backend);
		try {
			assertFailsInTime(() -> this.store.claim(request("a")), "could not claim operation 'task:call'");
		}
		finally {
			signal("CONT", backend);
		}
		assertThat(this.store.claim(request("a"))).isInstanceOf(Claim.Granted.class);
	}

	@Test
	void aClaimThatWaitsForAReplicaInVainIsNotGranted() throws Exception {
		this.jdbc.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
		this.server.restart();
		await().ignoreExceptions().until(() -> this.store.find("task:call").isEmpty());
		assertFailsInTime(() -> this.store.claim(request("a")), "could not claim operation 'task:call'", "too long");
		assertThat(this.store.claim(request("b"))).isInstanceOf(Claim.InProgress.class);
	}

	private DataSource elsewhere() {
		return new DriverManagerDataSource(this.server.url());
	}

	private void assertFailsInTime(ThrowingCallable step, String... words) throws Exception {
		Future<?> failing = this.threads.submit(() -> {
			assertThatExceptionOfType(IdempotencyStoreException.class).isThrownBy(step)
				.satisfies((ex) -> assertThat(ex.getMessage()).contains(words).doesNotContain("secret"));
		});
		try {
			failing.get(40, TimeUnit.SECONDS);
		}
		catch (ExecutionException ex) {
			throw new AssertionError(ex.getCause());
		}
	}

	private static void signal(String name, Long process) throws IOException, InterruptedException {
		new ProcessBuilder("kill", "-" + name, Long.toString(process)).start().waitFor();
	}

	private static ClaimRequest request(String owner) {
		return new ClaimRequest(new CallIdentity("task", "call", "charge", "1", "1"), null, null, Downstream.OPAQUE,
				"{}", owner, Duration.ofMinutes(1));
	}

}
