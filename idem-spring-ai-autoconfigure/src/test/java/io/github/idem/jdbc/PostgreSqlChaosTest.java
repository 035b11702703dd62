package io.github.idem.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariDataSource;
import io.github.idem.Downstream;
import io.github.idem.Duplicates;
import io.github.idem.EffectBoundary;
import io.github.idem.EffectNotAppliedException;
import io.github.idem.IdempotencyStoreException;
import io.github.idem.OperationStatus;
import io.github.idem.identity.ArgumentSchema;
import io.github.idem.operation.Answer;
import io.github.idem.operation.CallBinder;
import io.github.idem.operation.EffectPolicy;
import io.github.idem.operation.EngineHooks;
import io.github.idem.operation.EngineSettings;
import io.github.idem.operation.IdempotentExecutor;
import io.github.idem.operation.IncomingCall;
import io.github.idem.operation.LoopPosition;
import io.github.idem.operation.OperationStore;
import io.github.idem.operation.ToolBody;
import io.github.idem.operation.ToolPolicy;
import io.github.idem.operation.Transition;
import io.github.idem.operation.WalkRules;
import io.github.idem.recovery.LeaseExpiry;
import io.github.idem.testing.RestartablePostgres;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Sixteen workers while connections are cut all the time, the server is restarted once in
 * order and crashes once. Whatever a call comes to, the record tells the truth about it.
 */
class PostgreSqlChaosTest {

	private static final int OPERATIONS = Integer.getInteger("idem.chaos.operations", 5_000);

	private static final int WORKERS = 16;

	private static final Duration LEASE = Duration.ofSeconds(2);

	private final LoggingSystem logging = LoggingSystem.get(PostgreSqlChaosTest.class.getClassLoader());

	private final HikariDataSource pool = new HikariDataSource();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final Map<String, AtomicInteger> effects = new ConcurrentHashMap<>();

	private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();

	private final AtomicInteger next = new AtomicInteger();

	private final AtomicInteger accounted = new AtomicInteger();

	private final AtomicBoolean working = new AtomicBoolean(true);

	private final List<Integer> calls = new ArrayList<>();

	private final Set<String> results = ConcurrentHashMap.newKeySet();

	private RestartablePostgres server;

	private JdbcOperationStore store;

	@BeforeEach
	void start() throws Exception {
		// What goes wrong on purpose would fill the log.
		this.logging.setLogLevel("io.github.idem", LogLevel.OFF);
		this.logging.setLogLevel("com.zaxxer.hikari", LogLevel.OFF);
		this.server = RestartablePostgres.start();
		this.pool.setJdbcUrl(this.server.url());
		this.pool.setMaximumPoolSize(20);
		this.pool.setConnectionTimeout(1_000);
		SchemaMigration.run(this.pool, null, SchemaMode.MIGRATE);
		this.store = JdbcOperationStore.create(this.pool, "chaos", null);
		for (int operation = 0; operation < OPERATIONS; operation++) {
			int callers = (operation % 10 == 0) ? 3 : (operation % 3 == 0) ? 2 : 1;
			for (int caller = 0; caller < callers; caller++) {
				this.calls.add(operation);
			}
		}
	}

	@AfterEach
	void stop() throws Exception {
		this.threads.shutdownNow();
		this.pool.close();
		this.server.close();
		this.logging.setLogLevel("io.github.idem", null);
		this.logging.setLogLevel("com.zaxxer.hikari", null);
	}

	@Test
	void whateverTheDatabaseGoesThroughNothingIsAppliedTwiceAndTheRecordIsTrue() throws Exception {
		long begun = System.nanoTime();
		try (IdempotentExecutor executor = new IdempotentExecutor(countingFailures(), settings(), EngineHooks.none())) {
			Future<?> cutting = this.threads.submit(this::cutConnections);
			List<Future<?>> workers = new ArrayList<>();
			for (int worker = 0; worker < WORKERS; worker++) {
				workers.add(this.threads.submit(() -> work(executor)));
			}
			awaitCalls(this.calls.size() / 3, workers);
			this.server.restart();
			count("restarts");
			awaitCalls(this.calls.size() * 2 / 3, workers);
			this.server.crashAndRestart();
			count("crashes");
			for (Future<?> worker : workers) {
				worker.get(120, TimeUnit.SECONDS);
			}
			this.working.set(false);
			cutting.get(30, TimeUnit.SECONDS);
		}
		expireWhatIsLeft();
		assertThat(this.accounted).as("calls that came to something").hasValue(this.calls.size());
		Map<String, OperationStatus> rows = rows();
		rows.values().forEach((status) -> count("rows " + status));
		System.out.printf("chaos: %d calls of %d operations in %d ms, %s%n", this.calls.size(), OPERATIONS,
				(System.nanoTime() - begun) / 1_000_000, new TreeMap<>(this.counts));
		assertTheRecordIsTrue(rows);
		assertTrailsAreWhole(rows);
		assertThat(this.counts).containsKeys("connections cut", "failures to record", "rows IN_DOUBT", "rows FAILED");
	}

	private void awaitCalls(int number, List<Future<?>> workers) {
		await().atMost(Duration.ofMinutes(2))
			.until(() -> this.next.get() >= number || workers.stream().allMatch(Future::isDone));
	}

	private void work(IdempotentExecutor executor) {
		for (int i = this.next.getAndIncrement(); i < this.calls.size(); i = this.next.getAndIncrement()) {
			call(executor, this.calls.get(i));
		}
	}

	private void call(IdempotentExecutor executor, int operation) {
		IncomingCall call = new IncomingCall("t" + operation, "c", null, "{}", Map.of(), LoopPosition.FIRST);
		boolean deduplicates = operation % 5 == 0;
		AtomicBoolean entered = new AtomicBoolean();
		ToolBody body = (running, arguments) -> {
			entered.set(true);
			return tool(running.requestId(), deduplicates);
		};
		try {
			Answer answer = executor.execute(policy(deduplicates), call, body);
			count(answer.match((result) -> {
				this.results.add(result.requestId());
				return result.replayed() ? "replays" : "results";
			}, (notice) -> "notices " + notice.status(), (failed) -> "definite failures"));
			this.accounted.incrementAndGet();
		}
		catch (IdempotencyStoreException ex) {
			count("store exceptions");
			this.accounted.incrementAndGet();
			assertThat(entered).as("entered, though %s", ex.getMessage()).isFalse();
		}
	}

	private static ToolPolicy policy(boolean deduplicates) {
		return new ToolPolicy(deduplicates ? "idempotent" : "opaque", ArgumentSchema.of(null), CallBinder.NONE,
				Duplicates.COLLAPSE, Set.of(),
				new EffectPolicy(deduplicates ? Downstream.IDEMPOTENT : Downstream.OPAQUE, EffectBoundary.ANYWHERE,
						Set.of(), null, false));
	}

	private String tool(String requestId, boolean deduplicates) {
		int fate = ThreadLocalRandom.current().nextInt(10);
		if (fate == 0) {
			throw new EffectNotAppliedException("declined");
		}
		AtomicInteger applied = this.effects.computeIfAbsent(requestId, (id) -> new AtomicInteger());
		if (!deduplicates || applied.get() == 0) {
			applied.incrementAndGet();
		}
		if (fate == 1) {
			throw new IllegalStateException("connection reset");
		}
		return "done " + requestId;
	}

	/** Every call that fails to write an outcome is made again by the engine. */
	private OperationStore countingFailures() {
		Set<String> settling = Set.of("complete", "fail", "doubt");
		return (OperationStore) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { OperationStore.class }, (proxy, method, arguments) -> {
					try {
						return method.invoke(this.store, arguments);
					}
					catch (InvocationTargetException ex) {
						count(settling.contains(method.getName()) ? "failures to record"
								: "failures to " + method.getName());
						throw ex.getCause();
					}
				});
	}

	private void cutConnections() {
		DriverManagerDataSource own = new DriverManagerDataSource(this.server.url() + "&ApplicationName=chaos");
		JdbcClient jdbc = JdbcClient.create(own);
		while (this.working.get()) {
			try {
				TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextInt(10, 50));
				jdbc.sql("""
						SELECT pg_terminate_backend(pid) FROM (
							SELECT pid FROM pg_stat_activity
							WHERE datname = 'postgres' AND application_name <> 'chaos' AND pid <> pg_backend_pid()
								AND backend_type = 'client backend'
							ORDER BY random() LIMIT 1) victim
						""").query(Boolean.class).list().forEach((cut) -> count("connections cut"));
			}
			catch (InterruptedException ex) {
				return;
			}
			catch (RuntimeException ex) {
				count("chaos had no connection");
			}
		}
	}

	private void expireWhatIsLeft() {
		LeaseExpiry expiry = new LeaseExpiry(this.store);
		await().atMost(Duration.ofSeconds(20)).ignoreException(IdempotencyStoreException.class).until(() -> {
			this.counts.computeIfAbsent("leases run out", (key) -> new AtomicInteger()).addAndGet(expiry.run());
			return !rows().containsValue(OperationStatus.IN_PROGRESS);
		});
	}

	private Map<String, OperationStatus> rows() {
		Map<String, OperationStatus> rows = new HashMap<>();
		JdbcClient.create(this.pool).sql("SELECT request_id, status FROM idem_operation").query((row) -> {
			rows.put(row.getString(1), OperationStatus.valueOf(row.getString(2)));
		});
		return rows;
	}

	private void assertTheRecordIsTrue(Map<String, OperationStatus> rows) {
		for (int operation = 0; operation < OPERATIONS; operation++) {
			String requestId = "t" + operation + ":c";
			int applied = this.effects.getOrDefault(requestId, new AtomicInteger()).get();
			OperationStatus status = rows.get(requestId);
			if (status == null || status == OperationStatus.FAILED) {
				assertThat(applied).as("%s is %s", requestId, status).isZero();
			}
			else if (status == OperationStatus.SUCCEEDED) {
				assertThat(applied).as("%s succeeded", requestId).isEqualTo(1);
			}
			else {
				assertThat(status).isEqualTo(OperationStatus.IN_DOUBT);
				assertThat(applied).as("%s is in doubt", requestId).isLessThanOrEqualTo(1);
			}
			if (this.results.contains(requestId)) {
				assertThat(status).as("%s gave a result", requestId).isEqualTo(OperationStatus.SUCCEEDED);
			}
		}
	}

	private void assertTrailsAreWhole(Map<String, OperationStatus> rows) {
		Map<String, List<Transition>> trails = new HashMap<>();
		JdbcClient.create(this.pool)
			.sql("""
					SELECT request_id, version, from_status, to_status, attempt, trigger, actor FROM idem_transition ORDER BY id
					""")
			.query((row) -> {
				String from = row.getString(3);
				trails.computeIfAbsent(row.getString(1), (id) -> new ArrayList<>())
					.add(new Transition(row.getLong(2), (from != null) ? OperationStatus.valueOf(from) : null,
							OperationStatus.valueOf(row.getString(4)), row.getInt(5),
							Transition.Trigger.valueOf(row.getString(6)), row.getString(7), null, Instant.EPOCH));
			});
		assertThat(trails.keySet()).isEqualTo(rows.keySet());
		trails.forEach((requestId, trail) -> {
			WalkRules.assertIsPath(requestId, trail);
			assertThat(trail.get(trail.size() - 1).to()).isEqualTo(rows.get(requestId));
		});
	}

	private void count(String what) {
		this.counts.computeIfAbsent(what, (key) -> new AtomicInteger()).incrementAndGet();
	}

	private static EngineSettings settings() {
		return new EngineSettings(new IdempotentExecutor.Timing(LEASE, Duration.ofMinutes(5), Duration.ofSeconds(1)),
				new EngineSettings.Tries(3, () -> () -> Duration.ofMillis(5)),
				new EngineSettings.Tries(3, () -> () -> Duration.ofMillis(5)), Duration.ofSeconds(2),
				Duration.ofHours(12), Duration.ofSeconds(30));
	}

}
