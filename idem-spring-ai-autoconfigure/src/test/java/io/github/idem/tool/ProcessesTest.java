package io.github.idem.tool;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Connection;
import java.util.List;
import java.util.Map;

import io.github.idem.OperationStatus;
import io.github.idem.operation.OperationStore;
import io.github.idem.recovery.BackgroundJobs;
import io.github.idem.recovery.LeaseExpiry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Several JVMs on one database, and JVMs that die. */
abstract class ProcessesTest {

	private String url = "";

	private JdbcClient jdbc;

	/** A new, empty database that keeps what it committed. */
	abstract String newDatabase();

	@BeforeEach
	void createLedger() {
		this.url = newDatabase();
		this.jdbc = JdbcClient.create(new DriverManagerDataSource(this.url));
		this.jdbc.sql("CREATE TABLE effect (request_id VARCHAR(255))").update();
	}

	@Test
	void twoProcessesThatAreOfferedTheSameTwoHundredOperationsMakeTwoHundredEffects() throws Exception {
		// H2 serves its file from the process that connects first: not the worker that
		// ends
		// first.
		try (Connection host = DriverManager.getConnection(this.url);
				Worker one = new Worker("offer", 200, this.url);
				Worker other = new Worker("offer", 200, this.url)) {
			assertThat(host.isValid(1)).isTrue();
			one.await(WorkerApplication.READY);
			other.await(WorkerApplication.READY);
			one.go();
			other.go();
			one.await(WorkerApplication.DONE);
			other.await(WorkerApplication.DONE);
		}
		assertThat(effects()).hasSize(200).doesNotHaveDuplicates();
		assertThat(this.jdbc.sql("SELECT count(*) FROM idem_operation WHERE status = 'SUCCEEDED' AND attempt = 1")
			.query(Long.class)
			.single()).isEqualTo(200);
	}

	@Test
	void aProcessKilledAfterTheChargeLeavesOneChargeHoweverOftenTheTaskIsAskedAgain() throws Exception {
		try (Worker worker = new Worker("hang", 1, this.url)) {
			worker.await(WorkerApplication.READY).go().await(WorkerApplication.CHARGED).kill();
		}
		try (ConfigurableApplicationContext restarted = WorkerApplication
			.start(Map.of("spring.datasource.url", this.url, "idem.wait.timeout", "100ms"))) {
			assertThat(WorkerApplication.ask(restarted, 0)).as("while the lease runs")
				.contains("\"status\":\"IN_PROGRESS\"");
			this.jdbc.sql("UPDATE idem_operation SET lease_until = created_at").update();
			assertThat(WorkerApplication.ask(restarted, 0)).as("after the lease").contains("\"status\":\"IN_DOUBT\"");
			assertThat(WorkerApplication.ask(restarted, 0)).as("ever after").contains("\"status\":\"IN_DOUBT\"");
		}
		assertThat(effects()).containsExactly("task-0:call_0");
	}

	@Test
	void aProcessKilledAfterTheChargeShowsInTheRecordEvenIfNobodyAsksAgain() throws Exception {
		try (Worker worker = new Worker("hang", 1, this.url)) {
			worker.await(WorkerApplication.READY).go().await(WorkerApplication.CHARGED).kill();
		}
		try (ConfigurableApplicationContext restarted = WorkerApplication
			.start(Map.of("spring.datasource.url", this.url, "idem.recovery.interval", "1h"))) {
			LeaseExpiry expiry = restarted.getBean(LeaseExpiry.class);
			assertThat(expiry.run()).as("the lease still runs").isZero();
			// Or its look at start-up, which may come late, would be the one that finds
			// it.
			restarted.getBean(BackgroundJobs.class).stop();
			this.jdbc.sql("UPDATE idem_operation SET lease_until = created_at").update();
			assertThat(expiry.run()).isOne();
			assertThat(restarted.getBean(OperationStore.class).find("task-0:call_0"))
				.hasValueSatisfying((operation) -> {
					assertThat(operation.status()).isEqualTo(OperationStatus.IN_DOUBT);
					assertThat(operation.mayHaveApplied()).isTrue();
				});
		}
		assertThat(effects()).hasSize(1);
	}

	private List<String> effects() {
		return this.jdbc.sql("SELECT request_id FROM effect").query(String.class).list();
	}

}
