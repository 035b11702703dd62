package io.github.idem.jdbc;

import java.time.Duration;
import java.util.function.IntConsumer;

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

/** That no verb reads the whole table once it has grown. */
class PostgreSqlIndexUseTest {

	private SingleConnectionDataSource connection;

	private JdbcTemplate jdbc;

	private JdbcOperationStore store;

	@BeforeEach
	void fillTheTable() {
		String url = EmbeddedPostgresServer.newDatabase();
		SchemaMigration.run(new DriverManagerDataSource(url), null, SchemaMode.MIGRATE);
		this.connection = new SingleConnectionDataSource(url, true);
		this.jdbc = new JdbcTemplate(this.connection);
		this.jdbc.update("""
				INSERT INTO idem_operation (namespace, request_id, task_id, tool_call_id, tool, fingerprint, dedup_key,
					business_key, business_ref, status, version, attempt, owner, lease_until, may_have_applied,
					created_at, updated_at)
				SELECT 'app', 'old' || i || ':call', 'old' || i, 'call', 'charge', 'f', 'f', 'order' || i, 'order' || i,
					'SUCCEEDED', 2, 1, 'o', now(), false, now(), now()
				FROM generate_series(1, 20000) i
				""");
		this.jdbc.execute("ANALYZE");
		this.store = JdbcOperationStore.create(this.connection, "app", null);
	}

	@AfterEach
	void close() {
		this.connection.destroy();
	}

	@Test
	void everyVerbFindsItsRowsByAnIndex() {
		assertThatNothingIsScanned((i) -> this.store.claim(request("old" + i, "order" + i)));
		assertThatNothingIsScanned((i) -> this.store.claim(request("old" + i, null)));
		assertThatNothingIsScanned((i) -> this.store.claim(request("new" + i, "order" + i)));
		assertThatNothingIsScanned((i) -> {
			Claim.Granted grant = (Claim.Granted) this.store.claim(request("first" + i, "new order" + i));
			this.store.renew(grant, Duration.ofMinutes(1));
			this.store.fail(grant, "no");
			Claim.Granted again = (Claim.Granted) this.store.claim(request("first" + i, "new order" + i));
			this.store.complete(again, "ok");
		});
		assertThatNothingIsScanned((i) -> this.store.find("old" + i, "charge", "f").orElseThrow());
		assertThatNothingIsScanned((i) -> assertThat(this.store.findByToolCall("old" + i, "call")).hasSize(1));
		assertThatNothingIsScanned((i) -> assertThat(this.store.history("first" + i + ":call")).hasSize(4));
		assertThatNothingIsScanned((i) -> this.store.expireLeases(10));
	}

	/** Often enough for the driver and the server to settle on a generic plan. */
	private void assertThatNothingIsScanned(IntConsumer work) {
		long before = rowsReadByScans();
		for (int i = 1; i <= 20; i++) {
			work.accept(i);
		}
		assertThat(rowsReadByScans() - before).isZero();
	}

	private long rowsReadByScans() {
		this.jdbc.queryForList("SELECT CAST(pg_stat_force_next_flush() AS text)");
		Long rows = this.jdbc.queryForObject(
				"SELECT seq_tup_read FROM pg_stat_user_tables WHERE relname = 'idem_operation'", Long.class);
		assertThat(rows).isNotNull();
		return rows;
	}

	private static ClaimRequest request(String taskId, String businessKey) {
		return new ClaimRequest(new CallIdentity(taskId, "call", "charge", "f", "f"), businessKey, null,
				Downstream.OPAQUE, "{}", "owner of " + taskId, Duration.ofMinutes(1));
	}

}
