package io.github.idem.operation;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

import com.zaxxer.hikari.HikariDataSource;
import io.github.idem.Duplicates;
import io.github.idem.identity.ArgumentSchema;
import io.github.idem.jdbc.JdbcOperationStore;
import io.github.idem.jdbc.SchemaMigration;
import io.github.idem.jdbc.SchemaMode;
import io.github.idem.testing.EmbeddedPostgresServer;
import io.github.idem.testing.H2Files;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/** What a tool finds free while it runs. */
class NothingHeldTest {

	private static final Duration LONG = Duration.ofSeconds(30);

	private final ToolPolicy tool = new ToolPolicy("charge", ArgumentSchema.of(null), CallBinder.NONE,
			Duplicates.COLLAPSE, Set.of(), EffectPolicy.OPAQUE);

	private final IncomingCall call = new IncomingCall("t1", "c1", null, "{}", Map.of(), LoopPosition.FIRST);

	@ParameterizedTest
	@ValueSource(strings = { "H2", "PostgreSQL" })
	void aToolFindsNoConnectionTakenAndItsOwnRowUnlocked(String database) {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl(database.equals("H2") ? H2Files.newDatabase() : EmbeddedPostgresServer.newDatabase());
			pool.setConnectionTimeout(2_000);
			SchemaMigration.run(pool, null, SchemaMode.MIGRATE);
			JdbcClient jdbc = JdbcClient.create(pool);
			try (IdempotentExecutor executor = Engines.on(JdbcOperationStore.create(pool, "test", null),
					new IdempotentExecutor.Timing(LONG, LONG, LONG))) {
				Answer answer = executor.execute(this.tool, this.call, (running, arguments) -> {
					assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
					return jdbc.sql("SELECT status FROM idem_operation WHERE request_id = 't1:c1' FOR UPDATE")
						.query(String.class)
						.single();
				});
				assertThat(answer).isEqualTo(new Answer.Result("t1:c1", "IN_PROGRESS", false));
			}
		}
	}

}
