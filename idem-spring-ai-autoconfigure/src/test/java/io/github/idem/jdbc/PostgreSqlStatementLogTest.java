package io.github.idem.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import io.github.idem.Downstream;
import io.github.idem.identity.CallIdentity;
import io.github.idem.operation.Claim;
import io.github.idem.operation.ClaimRequest;
import io.github.idem.testing.EmbeddedPostgresServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What a call costs, told by the server: the statements in its log, the commits in its
 * statistics, and the transaction ids it gave out.
 */
class PostgreSqlStatementLogTest {

	private final JdbcTemplate server = new JdbcTemplate(EmbeddedPostgresServer.administration());

	private String database;

	private SingleConnectionDataSource connection;

	private JdbcTemplate sameConnection;

	private JdbcOperationStore store;

	@BeforeEach
	void logEveryStatement() {
		String url = EmbeddedPostgresServer.newDatabase();
		SchemaMigration.run(new DriverManagerDataSource(url), null, SchemaMode.MIGRATE);
		this.database = new JdbcTemplate(new DriverManagerDataSource(url)).queryForObject("SELECT current_database()",
				String.class);
		this.server.execute("ALTER DATABASE " + this.database + " SET log_statement = 'all'");
		this.connection = new SingleConnectionDataSource(url, true);
		this.sameConnection = new JdbcTemplate(this.connection);
		this.store = JdbcOperationStore.create(this.connection, "app", null);
	}

	@AfterEach
	void close() {
		this.connection.destroy();
	}

	@Test
	void aFirstCallIsTwoStatementsAndTwoCommitsAuditRowsIncluded() {
		Cost cost = costOf(() -> this.store.complete((Claim.Granted) this.store.claim(request("a")), "paid"));

		System.out.println("PostgreSQL, first call: " + cost);
		assertThat(cost.statements()).hasSize(2).allSatisfy((text) -> assertThat(text).contains("WITH "));
		assertThat(cost.commits()).isEqualTo(2);
		assertThat(cost.transactionIds()).isEqualTo(2);
		assertThat(this.store.history("task:call")).hasSize(2);
	}

	@Test
	void aReplayIsOneStatementAndNothingIsWritten() {
		this.store.complete((Claim.Granted) this.store.claim(request("a")), "paid");

		Cost cost = costOf(() -> this.store.claim(request("b")));

		System.out.println("PostgreSQL, replay: " + cost);
		assertThat(cost.statements()).hasSize(1);
		assertThat(cost.transactionIds()).isZero();
		assertThat(cost.rowsWritten()).isZero();
	}

	@Test
	void whoFindsTheCallRunningOrTheKeyTakenWritesNothingEither() {
		this.store.claim(request("a"));

		assertThat(costOf(() -> this.store.claim(request("b")))).satisfies((cost) -> {
			assertThat(cost.statements()).hasSize(1);
			assertThat(cost.transactionIds()).isZero();
		});
		assertThat(costOf(() -> this.store.claim(new ClaimRequest(new CallIdentity("task2", "call", "charge", "2", "2"),
				"order-1", null, Downstream.OPAQUE, "{}", "c", Duration.ofMinutes(1)))))
			.satisfies((cost) -> {
				assertThat(cost.statements()).hasSize(1);
				assertThat(cost.transactionIds()).isZero();
			});
	}

	private static ClaimRequest request(String owner) {
		return new ClaimRequest(new CallIdentity("task", "call", "charge", "1", "1"), "order-1", null,
				Downstream.OPAQUE, "{}", owner, Duration.ofMinutes(1));
	}

	private Cost costOf(Supplier<?> work) {
		int linesBefore = statementsUpTo("before").size();
		long commitsBefore = commits();
		long rowsBefore = rowsWritten();
		long transactionsBefore = nextTransactionId();
		work.get();
		long transactions = nextTransactionId() - transactionsBefore;
		List<String> statements = statementsUpTo("after");
		// The statement that marks the end, which has the statistics flushed, is a commit
		// too.
		return new Cost(statements.subList(linesBefore, statements.size() - 1), commits() - commitsBefore - 1,
				transactions, rowsWritten() - rowsBefore);
	}

	private List<String> statementsUpTo(String name) {
		String marker = "marker " + name + " " + System.nanoTime();
		this.sameConnection.queryForList("SELECT CAST(pg_stat_force_next_flush() AS text), '" + marker + "'");
		return await().until(this::statements,
				(lines) -> !lines.isEmpty() && lines.get(lines.size() - 1).contains(marker));
	}

	private List<String> statements() {
		return EmbeddedPostgresServer.log()
			.stream()
			.filter((line) -> line.matches("\\[" + this.database + "]LOG: +(statement|execute [^:]*): .*"))
			.toList();
	}

	private long commits() {
		return number("SELECT xact_commit FROM pg_stat_database WHERE datname = '" + this.database + "'");
	}

	private long rowsWritten() {
		return number("SELECT tup_inserted + tup_updated + tup_deleted FROM pg_stat_database WHERE datname = '"
				+ this.database + "'");
	}

	private long nextTransactionId() {
		return number("SELECT CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text) AS bigint)");
	}

	private long number(String query) {
		Long number = this.server.queryForObject(query, Long.class);
		assertThat(number).isNotNull();
		return number;
	}

	/**
	 * What something cost the server.
	 */
	private record Cost(List<String> statements, long commits, long transactionIds, long rowsWritten) {

		@Override
		public String toString() {
			return this.statements.size() + " statements, " + this.commits + " commits, " + this.transactionIds
					+ " transaction ids, " + this.rowsWritten + " rows written";
		}

	}

}
