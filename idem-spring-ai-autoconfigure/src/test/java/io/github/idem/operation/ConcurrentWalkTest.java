package io.github.idem.operation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import com.zaxxer.hikari.HikariDataSource;
import io.github.idem.Decision;
import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import io.github.idem.ResolutionRefusedException;
import io.github.idem.jdbc.JdbcOperationStore;
import io.github.idem.jdbc.SchemaMigration;
import io.github.idem.jdbc.SchemaMode;
import io.github.idem.recovery.DoubtRecovery;
import io.github.idem.recovery.LeaseExpiry;
import io.github.idem.recovery.StoreOperationResolver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Callers, people, probes and background jobs on a few operations, all at once, while
 * leases run out under those who still work.
 */
abstract class ConcurrentWalkTest {

	private static final int THREADS = 8;

	private static final int OPERATIONS = 20;

	private static final List<String> TOOLS = List.of("opaque", "idempotent", "queryable", "idempotent and queryable");

	private final LoggingSystem logging = LoggingSystem.get(ConcurrentWalkTest.class.getClassLoader());

	private final HikariDataSource dataSource = new HikariDataSource();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final Map<String, AtomicInteger> taken = new ConcurrentHashMap<>();

	private final Map<String, String> results = new ConcurrentHashMap<>();

	private final WalkTools tools = new WalkTools(new Random());

	private JdbcClient jdbc;

	private JdbcOperationStore store;

	private StoreOperationResolver people;

	abstract String newDatabase();

	abstract int stepsPerThread();

	@BeforeEach
	void createTables() {
		// What goes wrong on purpose would fill the log.
		this.logging.setLogLevel("io.github.idem", LogLevel.OFF);
		this.dataSource.setJdbcUrl(newDatabase());
		this.dataSource.setMaximumPoolSize(2 * THREADS);
		SchemaMigration.run(this.dataSource, null, SchemaMode.MIGRATE);
		this.jdbc = JdbcClient.create(this.dataSource);
		this.store = JdbcOperationStore.create(this.dataSource, "test", null);
		this.people = new StoreOperationResolver(this.store);
	}

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		this.dataSource.close();
		this.logging.setLogLevel("io.github.idem", null);
	}

	@Test
	void whoeverComesFirstNothingIsAppliedTwiceAndTheRecordIsTrue() throws Exception {
		long begun = System.nanoTime();
		try (IdempotentExecutor executor = new IdempotentExecutor(this.store,
				WalkTools.settings(Duration.ofHours(1), Duration.ofMillis(20)), EngineHooks.none())) {
			this.tools.reEnterThrough(executor);
			CountDownLatch start = new CountDownLatch(1);
			List<Future<?>> walkers = new ArrayList<>();
			for (int thread = 0; thread < THREADS; thread++) {
				walkers.add(this.threads.submit(() -> {
					start.await();
					Random random = new Random();
					for (int step = 0; step < stepsPerThread(); step++) {
						take(executor, random);
					}
					return null;
				}));
			}
			start.countDown();
			for (Future<?> walker : walkers) {
				walker.get(120, TimeUnit.SECONDS);
			}
		}
		while (this.tools.ledger.deliver(0)) {
			count("a request arrives late");
		}
		List<Operation> operations = operations();
		System.out.printf("concurrent walk: %d steps in %d ms, %s, %s%n", THREADS * stepsPerThread(),
				(System.nanoTime() - begun) / 1_000_000, new TreeMap<>(this.taken), statuses(operations));
		assertThat(operations).hasSizeGreaterThan(OPERATIONS);
		operations.forEach(this::assertIsTrue);
	}

	private void take(IdempotentExecutor executor, Random random) {
		switch (random.nextInt(16)) {
			case 0, 1 -> leaseRunsOut(random);
			case 2 -> count("leases that ran out", new LeaseExpiry(this.store).run());
			case 3 -> deliver(random);
			case 4, 5, 6 -> decide(random);
			case 7 -> recover(executor, random);
			default -> call(executor, random);
		}
	}

	/** New tasks come as others end, so that there is always something to do. */
	private void call(IdempotentExecutor executor, Random random) {
		int number = random.nextInt(OPERATIONS) + calls() / 6;
		String tool = TOOLS.get(number % TOOLS.size());
		Answer answer = executor.execute(this.tools.policy(tool),
				new IncomingCall("t" + number, "c", null, "{}", Map.of(), LoopPosition.FIRST),
				slowly(this.tools.body(tool)));
		count("calls");
		if (answer instanceof Answer.Result result) {
			count(result.replayed() ? "replays" : "results");
			this.results.put(result.requestId(), String.valueOf(result.text()));
			assertThat(this.tools.ledger.effects(result.requestId())).as("effects of %s", result).isEqualTo(1);
		}
	}

	/** Long enough for others to come meanwhile. */
	private static ToolBody slowly(ToolBody body) {
		return (running, arguments) -> {
			LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(5_000_000));
			String result = body.run(running, arguments);
			LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(5_000_000));
			return result;
		};
	}

	private int calls() {
		AtomicInteger calls = this.taken.get("calls");
		return (calls != null) ? calls.get() : 0;
	}

	private void leaseRunsOut(Random random) {
		List<Operation> running = operations().stream()
			.filter((operation) -> operation.status() == OperationStatus.IN_PROGRESS)
			.toList();
		if (!running.isEmpty()) {
			Operation operation = running.get(random.nextInt(running.size()));
			this.jdbc.sql("UPDATE idem_operation SET lease_until = created_at WHERE request_id = ? AND version = ?")
				.params(operation.requestId(), operation.version())
				.update();
			count("leases cut short");
		}
	}

	private void deliver(Random random) {
		if (this.tools.ledger.deliver(random.nextInt(1_000))) {
			count("a request arrives late");
		}
	}

	private void recover(IdempotentExecutor executor, Random random) {
		makeDue();
		new DoubtRecovery(this.store, this.tools, executor.prober(),
				new DoubtRecovery.Limits(Duration.ofSeconds(1),
						random.nextBoolean() ? Duration.ZERO : Duration.ofMinutes(1), Duration.ofHours(12), 3,
						Duration.ofMillis(1)))
			.run(Runnable::run)
			.join();
		count("looks");
	}

	/** One at a time: two that change all rows in different order would deadlock. */
	private synchronized void makeDue() {
		this.jdbc.sql("UPDATE idem_operation SET next_check_at = created_at WHERE next_check_at IS NOT NULL").update();
	}

	/**
	 * What a person says is true of the version that was read, or the ledger makes it so.
	 */
	private void decide(Random random) {
		List<Operation> waiting = operations().stream()
			.filter((operation) -> operation.status() == OperationStatus.IN_DOUBT)
			.toList();
		if (waiting.isEmpty()) {
			return;
		}
		Operation operation = waiting.get(random.nextInt(waiting.size()));
		Decision decision = this.tools.ledger.cancel(operation.requestId(), operation.attempt())
				? (random.nextBoolean() ? new Decision.NotApplied() : new Decision.SendAgainOnce())
				: new Decision.Applied(WalkTools.result(operation.requestId()));
		try {
			this.people.resolve(operation.requestId(), operation.version(), decision, "Ada", null);
			count("decisions");
		}
		catch (ResolutionRefusedException ex) {
			count("decisions that came too late");
		}
	}

	private List<Operation> operations() {
		return this.jdbc.sql("SELECT request_id FROM idem_operation")
			.query(String.class)
			.list()
			.stream()
			.map((requestId) -> this.store.find(requestId).orElseThrow())
			.toList();
	}

	private static Map<OperationStatus, Integer> statuses(List<Operation> operations) {
		Map<OperationStatus, Integer> statuses = new TreeMap<>();
		operations.forEach((operation) -> statuses.merge(operation.status(), 1, Integer::sum));
		return statuses;
	}

	private void assertIsTrue(Operation operation) {
		String requestId = operation.requestId();
		List<Transition> trail = this.store.history(requestId);
		WalkRules.assertIsPath(requestId, trail);
		Transition last = trail.get(trail.size() - 1);
		assertThat(last.to()).as("%s", trail).isEqualTo(operation.status());
		assertThat(last.version()).as("%s", trail).isEqualTo(operation.version());
		int effects = this.tools.ledger.effects(requestId);
		assertThat(effects).as("effects of %s: %s", requestId, trail).isLessThanOrEqualTo(1);
		if (operation.status() == OperationStatus.SUCCEEDED) {
			assertThat(effects).as("effects of %s, which succeeded: %s", requestId, trail).isEqualTo(1);
		}
		if (operation.status() == OperationStatus.FAILED) {
			assertThat(operation.mayHaveApplied()).isFalse();
			assertThat(effects).as("effects of %s, which failed: %s", requestId, trail).isZero();
		}
		if (this.results.containsKey(requestId)) {
			assertThat(operation.status()).as("%s gave a result: %s", requestId, trail)
				.isEqualTo(OperationStatus.SUCCEEDED);
			assertThat(operation.result()).isEqualTo(this.results.get(requestId));
		}
	}

	private void count(String what) {
		count(what, 1);
	}

	private void count(String what, int number) {
		this.taken.computeIfAbsent(what, (key) -> new AtomicInteger()).addAndGet(number);
	}

}
