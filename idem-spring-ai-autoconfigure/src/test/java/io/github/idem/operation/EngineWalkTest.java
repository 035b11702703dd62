package io.github.idem.operation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;

import com.zaxxer.hikari.HikariDataSource;
import io.github.idem.OperationStatus;
import io.github.idem.jdbc.JdbcOperationStore;
import io.github.idem.jdbc.SchemaMigration;
import io.github.idem.jdbc.SchemaMode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Thousands of random steps of several workers, people, probes and background jobs on a
 * real store, compared with a model of the rules after each, and with what was applied
 * downstream. One seed, one walk: {@code -Didem.walk.seed=} takes the same one again.
 */
abstract class EngineWalkTest {

	private final LoggingSystem logging = LoggingSystem.get(EngineWalkTest.class.getClassLoader());

	private final HikariDataSource dataSource = new HikariDataSource();

	private final Map<String, Integer> transitionsSeen = new HashMap<>();

	private JdbcClient jdbc;

	private long lastTransition;

	abstract String newDatabase();

	abstract int steps();

	@BeforeEach
	void createTables() {
		// What goes wrong on purpose would fill the log.
		this.logging.setLogLevel("io.github.idem", LogLevel.OFF);
		this.dataSource.setJdbcUrl(newDatabase());
		SchemaMigration.run(this.dataSource, null, SchemaMode.MIGRATE);
		this.jdbc = JdbcClient.create(this.dataSource);
	}

	@AfterEach
	void close() {
		this.logging.setLogLevel("io.github.idem", null);
		this.dataSource.close();
	}

	@Test
	void whateverHappensTheRecordFollowsTheRulesAndNothingIsAppliedTwice() {
		long seed = Long.getLong("idem.walk.seed", System.nanoTime());
		System.out.printf("engine walk: seed %d%n", seed);
		Random random = new Random(seed);
		JdbcOperationStore real = JdbcOperationStore.create(this.dataSource, "test", null);
		ModelledStore store = new ModelledStore(real, random, 25);
		WalkTools tools = new WalkTools(random);
		Map<String, Integer> taken = new TreeMap<>();
		List<String> done = new ArrayList<>();
		long begun = System.nanoTime();
		try (IdempotentExecutor executor = new IdempotentExecutor(store,
				WalkTools.settings(Duration.ofHours(1), Duration.ZERO), EngineHooks.none())) {
			tools.reEnterThrough(executor);
			RandomSteps steps = new RandomSteps(store, tools, executor, this.jdbc, random);
			for (int step = 0; step < steps() || (step < 5 * steps() && !everywhere(store)); step++) {
				try {
					String name = steps.take();
					done.add(name);
					taken.merge(name, 1, Integer::sum);
					check(store, tools, steps);
				}
				catch (RuntimeException | AssertionError ex) {
					throw new AssertionError("seed %d, step %d, after %s".formatted(seed, step,
							done.subList(Math.max(0, done.size() - 5), done.size())), ex);
				}
			}
		}
		for (String requestId : store.operations.keySet()) {
			WalkRules.assertIsPath(requestId, real.history(requestId));
		}
		System.out.printf("engine walk: %d steps on %d operations in %d ms, %d acknowledgements lost%n%s%n%s%n",
				done.size(), store.operations.size(), (System.nanoTime() - begun) / 1_000_000,
				store.lostAcknowledgements, lines(taken), lines(WalkRules.taken(store)));
		assertThat(everywhere(store)).as("every change the rules allow was made").isTrue();
	}

	/** Whether the walk has seen enough to end. */
	abstract boolean everywhere(ModelledStore store);

	private static String lines(Map<String, ? extends Number> counts) {
		StringBuilder lines = new StringBuilder();
		counts.forEach((name, count) -> lines.append("%7d %s%n".formatted(count, name)));
		return lines.toString();
	}

	private void check(ModelledStore store, WalkTools tools, RandomSteps steps) {
		Map<String, Row> rows = new HashMap<>();
		this.jdbc.sql("""
				SELECT request_id, status, version, attempt, may_have_applied, owner, business_key FROM idem_operation
				""")
			.query((row, number) -> rows.put(row.getString(1),
					new Row(OperationStatus.valueOf(row.getString(2)), row.getLong(3), row.getInt(4), row.getBoolean(5),
							row.getString(6), row.getString(7) != null)))
			.list();
		assertThat(rows.keySet()).isEqualTo(store.operations.keySet());
		checkNewTransitions(store);
		Map<String, Integer> effectsOfKey = new HashMap<>();
		for (ModelOperation operation : store.operations.values()) {
			assertThat(rows.get(operation.requestId)).as("%s", operation.requestId)
				.isEqualTo(new Row(operation.status, operation.version, operation.attempt, operation.mayHaveApplied,
						operation.owner, operation.holdsKey));
			int effects = tools.ledger.effects(operation.requestId);
			assertThat(effects).as("effects of %s", operation.requestId).isLessThanOrEqualTo(1);
			if (operation.status == OperationStatus.SUCCEEDED) {
				assertThat(effects).as("effects of %s, which succeeded", operation.requestId).isEqualTo(1);
			}
			if (operation.isUndisputedFailure()) {
				assertThat(effects).as("effects of %s, which failed", operation.requestId).isZero();
				assertThat(tools.ledger.isUnderWay(operation.requestId) || steps.mayStillSend(operation))
					.as("a request of %s, which failed, may arrive", operation.requestId)
					.isFalse();
			}
			if (operation.businessKey != null) {
				effectsOfKey.merge(operation.businessKey, effects, Integer::sum);
			}
		}
		effectsOfKey.forEach((key, effects) -> assertThat(effects).as("effects of %s", key)
			.isLessThanOrEqualTo(1 + steps.releases(key)));
	}

	private void checkNewTransitions(ModelledStore store) {
		this.jdbc.sql("""
				SELECT id, request_id, version, from_status, to_status, attempt, trigger FROM idem_transition
				WHERE id > :last ORDER BY id
				""").param("last", this.lastTransition).query((row, number) -> {
			this.lastTransition = row.getLong(1);
			String requestId = row.getString(2);
			int index = this.transitionsSeen.merge(requestId, 1, Integer::sum) - 1;
			assertThat(new ModelOperation.Change(row.getLong(3), status(row.getString(4)),
					Objects.requireNonNull(status(row.getString(5))), row.getInt(6),
					Transition.Trigger.valueOf(row.getString(7))))
				.as("change %d of %s", index, requestId)
				.isEqualTo(store.operations.get(requestId).trail.get(index));
			return index;
		}).list();
		store.operations.values()
			.forEach((operation) -> assertThat(this.transitionsSeen.get(operation.requestId))
				.as("audit rows of %s", operation.requestId)
				.isEqualTo(operation.trail.size()));
	}

	private static @Nullable OperationStatus status(@Nullable String name) {
		return (name != null) ? OperationStatus.valueOf(name) : null;
	}

	private record Row(OperationStatus status, long version, int attempt, boolean mayHaveApplied, String owner,
			boolean holdsKey) {
	}

}
