package io.github.idem.operation;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import com.zaxxer.hikari.HikariDataSource;
import io.github.idem.Duplicates;
import io.github.idem.EffectNotAppliedException;
import io.github.idem.IdempotencyException;
import io.github.idem.IdempotencyStoreException;
import io.github.idem.IdempotentCall;
import io.github.idem.InvalidArgumentsException;
import io.github.idem.Judgement;
import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import io.github.idem.identity.ArgumentSchema;
import io.github.idem.jdbc.JdbcOperationStore;
import io.github.idem.jdbc.SchemaMigration;
import io.github.idem.jdbc.SchemaMode;
import io.github.idem.operation.Answer.Notice.Status;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** What the engine does with a claim, on a database that the subclass names. */
abstract class IdempotentExecutorTest {

	private static final Duration LONG = Duration.ofSeconds(30);

	private final ToolPolicy tool = new ToolPolicy("charge", ArgumentSchema.of(null), CallBinder.NONE,
			Duplicates.COLLAPSE, Set.of(), EffectPolicy.OPAQUE);

	private final IncomingCall call = new IncomingCall("t1", "c1", null, "{\"amount\":1}", Map.of(),
			LoopPosition.FIRST);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final List<AutoCloseable> open = new ArrayList<>();

	private String url = "";

	private HikariDataSource dataSource;

	private OperationStore store;

	private JdbcClient jdbc;

	abstract String newDatabase();

	@BeforeEach
	void createStore() {
		this.url = newDatabase();
		this.dataSource = connect();
		SchemaMigration.run(this.dataSource, null, SchemaMode.MIGRATE);
		this.store = JdbcOperationStore.create(this.dataSource, "test", null);
		this.jdbc = JdbcClient.create(this.dataSource);
	}

	@AfterEach
	void close() throws Exception {
		this.threads.shutdownNow();
		for (AutoCloseable closeable : this.open) {
			closeable.close();
		}
	}

	private HikariDataSource connect() {
		HikariDataSource connected = new HikariDataSource();
		connected.setJdbcUrl(this.url);
		connected.setConnectionTimeout(2_000);
		this.open.add(connected);
		return connected;
	}

	private IdempotentExecutor executor(Duration lease, Duration maxRun, Duration wait) {
		IdempotentExecutor executor = Engines.on(this.store, new IdempotentExecutor.Timing(lease, maxRun, wait));
		this.open.add(0, executor);
		return executor;
	}

	private IdempotentExecutor executor() {
		return executor(LONG, LONG, LONG);
	}

	@Test
	void theRecordIsCommittedBeforeTheToolIsEntered() {
		Answer answer = executor().execute(this.tool, this.call, (running, arguments) -> {
			assertThat(this.store.find("t1:c1")).map(Operation::status).contains(OperationStatus.IN_PROGRESS);
			return "done";
		});
		assertThat(answer).isEqualTo(new Answer.Result("t1:c1", "done", false));
		assertThat(this.store.find("t1:c1")).map(Operation::status).contains(OperationStatus.SUCCEEDED);
	}

	@Test
	void aResultIsReplayedByteForByteAndAMissingOneStaysMissing() {
		IdempotentExecutor executor = executor();
		IncomingCall other = new IncomingCall("t1", "c2", null, "{\"amount\":2}", Map.of(), LoopPosition.FIRST);
		String result = "a\u0000\u00e9\ud83d\ude00\r\n ";
		executor.execute(this.tool, this.call, (running, arguments) -> result);
		executor.execute(this.tool, other, (running, arguments) -> null);
		assertThat(executor.execute(this.tool, this.call, IdempotentExecutorTest::mustNotRun))
			.isEqualTo(new Answer.Result("t1:c1", result, true));
		assertThat(executor.execute(this.tool, other, IdempotentExecutorTest::mustNotRun))
			.isEqualTo(new Answer.Result("t1:c2", null, true));
	}

	@Test
	void twentyCallersThatWaitForADeclinedCallAreOneAttemptAndAllGetTheDecline() throws Exception {
		IdempotentExecutor executor = executor();
		AtomicInteger attempts = new AtomicInteger();
		CountDownLatch entered = new CountDownLatch(1);
		CountDownLatch decline = new CountDownLatch(1);
		ToolBody declining = (running, arguments) -> {
			attempts.incrementAndGet();
			entered.countDown();
			awaitLatch(decline);
			throw new EffectNotAppliedException("card declined");
		};
		Future<Answer> owner = this.threads.submit(() -> executor.execute(this.tool, this.call, declining));
		awaitLatch(entered);
		List<Thread> waiting = new ArrayList<>();
		List<Future<Answer>> waiters = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			waiters.add(this.threads.submit(() -> {
				synchronized (waiting) {
					waiting.add(Thread.currentThread());
				}
				return executor.execute(this.tool, this.call, declining);
			}));
		}
		await().until(() -> {
			synchronized (waiting) {
				return waiting.size() == 20
						&& waiting.stream().allMatch((thread) -> thread.getState() == Thread.State.TIMED_WAITING);
			}
		});
		decline.countDown();
		assertThat(owner.get()).isInstanceOf(Answer.Failed.class);
		for (Future<Answer> waiter : waiters) {
			assertThat(waiter.get(10, TimeUnit.SECONDS)).isInstanceOfSatisfying(Answer.Failed.class,
					(failed) -> assertThat(failed.error()).isEqualTo("card declined"));
		}
		assertThat(attempts).hasValue(1);
	}

	@Test
	void aWaiterWhosePatienceEndsIsToldAndTheOwnersClaimStands() throws Exception {
		IdempotentExecutor executor = executor(LONG, LONG, Duration.ofMillis(50));
		CountDownLatch entered = new CountDownLatch(1);
		CountDownLatch finish = new CountDownLatch(1);
		Future<Answer> owner = this.threads
			.submit(() -> executor.execute(this.tool, this.call, (running, arguments) -> {
				entered.countDown();
				awaitLatch(finish);
				return "done";
			}));
		awaitLatch(entered);
		assertNotice(executor.execute(this.tool, this.call, IdempotentExecutorTest::mustNotRun), Status.IN_PROGRESS);
		assertNotice(executor(LONG, LONG, Duration.ofMillis(50)).execute(this.tool, this.call,
				IdempotentExecutorTest::mustNotRun), Status.IN_PROGRESS);
		finish.countDown();
		assertThat(owner.get()).isEqualTo(new Answer.Result("t1:c1", "done", false));
		assertThat(this.store.find("t1:c1")).map(Operation::result).contains("done");
	}

	@Test
	void aDuplicateInTheSameJvmIsWokenAndDoesNotLookInTheStore() throws Exception {
		CountingStore counting = new CountingStore(this.store);
		IdempotentExecutor executor = Engines.on(counting, new IdempotentExecutor.Timing(LONG, LONG, LONG));
		this.open.add(0, executor);
		CountDownLatch entered = new CountDownLatch(1);
		CountDownLatch finish = new CountDownLatch(1);
		this.threads.submit(() -> executor.execute(this.tool, this.call, (running, arguments) -> {
			entered.countDown();
			awaitLatch(finish);
			return "done";
		}));
		awaitLatch(entered);
		Future<Answer> waiter = this.threads
			.submit(() -> executor.execute(this.tool, this.call, IdempotentExecutorTest::mustNotRun));
		await().until(() -> counting.claims.get() == 2);
		finish.countDown();
		assertThat(waiter.get(10, TimeUnit.SECONDS)).isEqualTo(new Answer.Result("t1:c1", "done", true));
		assertThat(counting.finds).hasValue(0);
	}

	@Test
	void aDuplicateInAnotherProcessFindsTheOutcomeInTheStore() throws Exception {
		IdempotentExecutor one = executor();
		IdempotentExecutor other = executor();
		CountDownLatch entered = new CountDownLatch(1);
		CountDownLatch finish = new CountDownLatch(1);
		Future<Answer> owner = this.threads.submit(() -> one.execute(this.tool, this.call, (running, arguments) -> {
			entered.countDown();
			awaitLatch(finish);
			throw new EffectNotAppliedException("card declined");
		}));
		awaitLatch(entered);
		CountDownLatch asked = new CountDownLatch(1);
		Future<Answer> waiter = this.threads.submit(() -> {
			asked.countDown();
			return other.execute(this.tool, this.call, IdempotentExecutorTest::mustNotRun);
		});
		awaitLatch(asked);
		await().pollDelay(Duration.ofMillis(200)).until(() -> !waiter.isDone());
		finish.countDown();
		assertThat(waiter.get(10, TimeUnit.SECONDS)).isEqualTo(new Answer.Failed("t1:c1", "card declined", null));
		assertThat(owner.get()).isInstanceOf(Answer.Failed.class);
	}

	@Test
	void anInterruptedWaiterIsToldAndStaysInterrupted() throws Exception {
		IdempotentExecutor executor = executor();
		CountDownLatch entered = new CountDownLatch(1);
		CountDownLatch finish = new CountDownLatch(1);
		this.threads.submit(() -> executor.execute(this.tool, this.call, (running, arguments) -> {
			entered.countDown();
			awaitLatch(finish);
			return "done";
		}));
		awaitLatch(entered);
		Future<Answer> waiter = this.threads.submit(() -> {
			Thread.currentThread().interrupt();
			Answer answer = executor.execute(this.tool, this.call, IdempotentExecutorTest::mustNotRun);
			assertThat(Thread.currentThread().isInterrupted()).isTrue();
			return answer;
		});
		assertNotice(waiter.get(10, TimeUnit.SECONDS), Status.IN_PROGRESS);
		finish.countDown();
	}

	@Test
	void theOutcomeOfAToolThatWasInterruptedIsWritten() throws Exception {
		IdempotentExecutor executor = executor();
		Future<Boolean> owner = this.threads.submit(() -> {
			executor.execute(this.tool, this.call, (running, arguments) -> {
				Thread.currentThread().interrupt();
				return "done";
			});
			return Thread.currentThread().isInterrupted();
		});
		assertThat(owner.get(10, TimeUnit.SECONDS)).isTrue();
		assertThat(this.store.find("t1:c1")).map(Operation::result).contains("done");
	}

	@Test
	void aToolThatIsInterruptedWhileItWaitsIsInDoubtAndTheThreadStaysInterrupted() throws Exception {
		IdempotentExecutor executor = executor();
		Future<Boolean> owner = this.threads.submit(() -> {
			Answer answer = executor.execute(this.tool, this.call,
					(running, arguments) -> sneakily(new InterruptedException()));
			assertNotice(answer, Status.IN_DOUBT);
			return Thread.currentThread().isInterrupted();
		});
		assertThat(owner.get(10, TimeUnit.SECONDS)).isTrue();
		assertThat(this.store.find("t1:c1")).map(Operation::status).contains(OperationStatus.IN_DOUBT);
	}

	@Test
	void theLeaseIsRenewedWhileTheToolRunsWithoutATraceInTheHistory() {
		IdempotentExecutor executor = executor(Duration.ofSeconds(2), LONG, LONG);
		executor.execute(this.tool, this.call, (running, arguments) -> {
			Set<OffsetDateTime> leases = new HashSet<>();
			await().atMost(LONG).until(() -> leases.add(lease()) && leases.size() > 2);
			return "done";
		});
		assertThat(this.store.find("t1:c1")).map(Operation::version).contains(2L);
		assertThat(this.store.history("t1:c1")).extracting(Transition::to)
			.containsExactly(OperationStatus.IN_PROGRESS, OperationStatus.SUCCEEDED);
	}

	@Test
	void aToolThatRunsTooLongIsPutInDoubtAndItsLateOutcomeStillRecorded() {
		IdempotentExecutor executor = executor(Duration.ofMillis(300), Duration.ofMillis(300), Duration.ZERO);
		Answer answer = executor.execute(this.tool, this.call, (running, arguments) -> {
			await().atMost(LONG).until(() -> !this.store.expireLeases(10).isEmpty());
			assertNotice(executor.execute(this.tool, this.call, IdempotentExecutorTest::mustNotRun), Status.IN_DOUBT);
			return "done";
		});
		assertThat(answer).isEqualTo(new Answer.Result("t1:c1", "done", false));
		assertThat(this.store.find("t1:c1")).hasValueSatisfying((operation) -> {
			assertThat(operation.status()).isEqualTo(OperationStatus.SUCCEEDED);
			assertThat(operation.mayHaveApplied()).isFalse();
		});
		assertThat(this.store.history("t1:c1")).extracting(Transition::to)
			.containsExactly(OperationStatus.IN_PROGRESS, OperationStatus.IN_DOUBT, OperationStatus.SUCCEEDED);
	}

	@Test
	void aGrantThatCameTooLateToBeRenewedIsNotUsed() {
		IdempotentExecutor executor = executor(Duration.ofNanos(1_000), LONG, LONG);
		assertThat(executor.execute(this.tool, this.call, IdempotentExecutorTest::mustNotRun))
			.isInstanceOf(Answer.Failed.class);
		assertThat(this.store.find("t1:c1")).map(Operation::status).contains(OperationStatus.FAILED);
		assertThat(executor().execute(this.tool, this.call, (running, arguments) -> "done " + running.attempt()))
			.isEqualTo(new Answer.Result("t1:c1", "done 2", false));
	}

	@Test
	void anErrorOfTheToolIsRecordedAsInDoubtAndRethrown() {
		IdempotentExecutor executor = executor();
		assertThatExceptionOfType(NoClassDefFoundError.class)
			.isThrownBy(() -> executor.execute(this.tool, this.call, (running, arguments) -> {
				throw new NoClassDefFoundError("com/example/Receipt");
			}));
		assertNotice(executor.execute(this.tool, this.call, IdempotentExecutorTest::mustNotRun), Status.IN_DOUBT);
	}

	@Test
	void anErrorThatComesWrappedIsRethrownAsItCame() {
		Error error = new NoClassDefFoundError("com/example/Receipt");
		RuntimeException wrapped = new IllegalStateException(error);
		IdempotentExecutor executor = executor();
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> executor.execute(this.tool, this.call, new ToolBody() {

				@Override
				public String run(IdempotentCall running, String arguments) {
					throw wrapped;
				}

				@Override
				public Throwable reason(Throwable thrown) {
					return error;
				}

			}))
			.isSameAs(wrapped);
		assertNotice(executor.execute(this.tool, this.call, IdempotentExecutorTest::mustNotRun), Status.IN_DOUBT);
	}

	@Test
	void aCallThatComesDuringShutdownDoesNotEnterItsToolAndIsFreeToBeMadeAgain() {
		IdempotentExecutor closed = executor();
		closed.close();
		assertThatExceptionOfType(IdempotencyException.class)
			.isThrownBy(() -> closed.execute(this.tool, this.call, IdempotentExecutorTest::mustNotRun))
			.withMessageContaining("shutting down");
		assertThat(this.store.find("t1:c1")).isEmpty();
		assertThat(executor().execute(this.tool, this.call, (running, arguments) -> "done"))
			.isEqualTo(new Answer.Result("t1:c1", "done", false));
	}

	@Test
	void shutdownTakesNoNewCallsAndLetsThoseUnderWayFinish() throws Exception {
		IdempotentExecutor executor = executor();
		IncomingCall other = new IncomingCall("t1", "c2", null, "{\"amount\":2}", Map.of(), LoopPosition.FIRST);
		CountDownLatch entered = new CountDownLatch(1);
		CountDownLatch finish = new CountDownLatch(1);
		Future<Answer> running = this.threads.submit(() -> executor.execute(this.tool, this.call, (call, arguments) -> {
			entered.countDown();
			await().until(() -> finish.getCount() == 0);
			return "done";
		}));
		assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
		executor.drain();
		assertThatExceptionOfType(IdempotencyException.class)
			.isThrownBy(() -> executor.execute(this.tool, other, IdempotentExecutorTest::mustNotRun));
		assertThat(executor.awaitDrained(Duration.ofMillis(50))).isFalse();
		assertThat(this.store.find("t1:c1")).map(Operation::status).contains(OperationStatus.IN_PROGRESS);
		finish.countDown();
		assertThat(executor.awaitDrained(Duration.ofSeconds(10))).isTrue();
		assertThat(running.get(10, TimeUnit.SECONDS)).isEqualTo(new Answer.Result("t1:c1", "done", false));
		assertThat(this.store.find("t1:c1")).map(Operation::status).contains(OperationStatus.SUCCEEDED);
		assertThat(this.store.find("t1:c2")).isEmpty();
	}

	@Test
	void aRunningToolMayFinishDuringShutdownWithTheToolsItCalls() {
		IdempotentExecutor executor = executor();
		IncomingCall inner = new IncomingCall("t1", "c2", null, "{\"amount\":2}", Map.of(), LoopPosition.FIRST);
		Answer answer = executor.execute(this.tool, this.call, (running, arguments) -> {
			executor.drain();
			executor.execute(this.tool, inner, (nested, nestedArguments) -> "inner done");
			return "done";
		});
		assertThat(answer).isEqualTo(new Answer.Result("t1:c1", "done", false));
		assertThat(this.store.find("t1:c2")).map(Operation::result).contains("inner done");
		assertThatExceptionOfType(IdempotencyException.class)
			.isThrownBy(() -> executor.execute(this.tool, this.call, IdempotentExecutorTest::mustNotRun));
	}

	@Test
	void whatIsClosedIsClosedAlsoForTheToolsThatARunningOneCalls() {
		IdempotentExecutor executor = executor();
		IncomingCall inner = new IncomingCall("t1", "c2", null, "{\"amount\":2}", Map.of(), LoopPosition.FIRST);
		executor.execute(this.tool, this.call, (running, arguments) -> {
			executor.close();
			assertThatExceptionOfType(IdempotencyException.class)
				.isThrownBy(() -> executor.execute(this.tool, inner, IdempotentExecutorTest::mustNotRun));
			return "done";
		});
		assertThat(this.store.find("t1:c1")).map(Operation::result).contains("done");
		assertThat(this.store.find("t1:c2")).isEmpty();
	}

	@Test
	void whatWasDrainedIsOpenedAgainUnlessItWasClosed() {
		IdempotentExecutor executor = executor();
		executor.drain();
		executor.open();
		assertThat(executor.execute(this.tool, this.call, (running, arguments) -> "done"))
			.isEqualTo(new Answer.Result("t1:c1", "done", false));
		executor.close();
		executor.drain();
		executor.open();
		assertThatExceptionOfType(IdempotencyException.class)
			.isThrownBy(() -> executor.execute(this.tool, this.call, IdempotentExecutorTest::mustNotRun));
	}

	@Test
	void aCallThatComesBackFromItsPauseWaitsForWhoTookTheNextAttemptAndNotForItself() throws Exception {
		CountingStore counting = new CountingStore(this.store);
		IdempotentExecutor other = Engines.on(counting, new IdempotentExecutor.Timing(LONG, LONG, LONG));
		this.open.add(0, other);
		CountDownLatch entered = new CountDownLatch(1);
		CountDownLatch finish = new CountDownLatch(1);
		List<Future<Answer>> taken = new ArrayList<>();
		EngineSettings settings = Engines.settings(new IdempotentExecutor.Timing(LONG, LONG, LONG));
		EngineSettings.Tries tries = new EngineSettings.Tries(3, () -> () -> {
			taken.add(this.threads.submit(() -> other.execute(this.tool, this.call, (running, arguments) -> {
				entered.countDown();
				awaitLatch(finish);
				return "done " + running.attempt();
			})));
			awaitLatch(entered);
			return Duration.ZERO;
		});
		EngineHooks none = EngineHooks.none();
		IdempotentExecutor one = new IdempotentExecutor(counting,
				new EngineSettings(settings.timing(), tries, settings.probe(), settings.probeTimeout(),
						settings.downstreamWindow(), settings.recordingPatience()),
				new EngineHooks(List.of((attempt) -> Optional.of(new Judgement.NotApplied("not now", true, null))),
						List.of(), new UnattributedRequests(), none.callerTransaction(), none.transactional(),
						none.events()));
		this.open.add(0, one);
		Future<Answer> first = this.threads.submit(() -> one.execute(this.tool, this.call, (running, arguments) -> {
			throw new IllegalStateException("429");
		}));
		await().until(() -> counting.claims.get() == 3);
		finish.countDown();
		assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo(new Answer.Result("t1:c1", "done 2", true));
		assertThat(taken).hasSize(1);
		assertThat(taken.get(0).get()).isEqualTo(new Answer.Result("t1:c1", "done 2", false));
	}

	@Test
	void aDuplicateThatCouldNotLookForTheOutcomeLooksAgain() throws Exception {
		CountDownLatch failed = new CountDownLatch(3);
		OperationStore failing = (OperationStore) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { OperationStore.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("find") && failed.getCount() > 0) {
						failed.countDown();
						throw new IdempotencyStoreException("the database is away");
					}
					return method.invoke(this.store, arguments);
				});
		IdempotentExecutor other = Engines.on(failing, new IdempotentExecutor.Timing(LONG, LONG, LONG));
		this.open.add(0, other);
		IdempotentExecutor one = executor();
		List<Future<Answer>> duplicate = new ArrayList<>();
		one.execute(this.tool, this.call, (running, arguments) -> {
			duplicate.add(
					this.threads.submit(() -> other.execute(this.tool, this.call, IdempotentExecutorTest::mustNotRun)));
			awaitLatch(failed);
			return "done";
		});
		assertThat(duplicate.get(0).get(10, TimeUnit.SECONDS)).isEqualTo(new Answer.Result("t1:c1", "done", true));
	}

	@Test
	void aDuplicateThatNeverCouldLookIsToldThatItRunsWhenItsPatienceEnds() {
		OperationStore failing = (OperationStore) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { OperationStore.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("find")) {
						throw new IdempotencyStoreException("the database is away");
					}
					return method.invoke(this.store, arguments);
				});
		IdempotentExecutor other = Engines.on(failing,
				new IdempotentExecutor.Timing(LONG, LONG, Duration.ofMillis(100)));
		this.open.add(0, other);
		Answer answer = executor().execute(this.tool, this.call, (running, arguments) -> {
			assertNotice(other.execute(this.tool, this.call, IdempotentExecutorTest::mustNotRun), Status.IN_PROGRESS);
			return "done";
		});
		assertThat(answer).isEqualTo(new Answer.Result("t1:c1", "done", false));
	}

	@Test
	void theCallOfAnInterruptedThreadDoesNotEnterItsToolAndMayBeMadeAgain() throws Exception {
		IdempotentExecutor executor = executor();
		Future<Boolean> interrupted = this.threads.submit(() -> {
			Thread.currentThread().interrupt();
			assertThatExceptionOfType(IdempotencyException.class)
				.isThrownBy(() -> executor.execute(this.tool, this.call, IdempotentExecutorTest::mustNotRun))
				.withMessageContaining("interrupted")
				.withMessageContaining("charge");
			return Thread.currentThread().isInterrupted();
		});
		assertThat(interrupted.get(10, TimeUnit.SECONDS)).isTrue();
		assertThat(executor.execute(this.tool, this.call, (running, arguments) -> "done"))
			.isEqualTo(new Answer.Result("t1:c1", "done", false));
	}

	@Test
	void anInterruptedThreadStillGetsWhatIsOnRecord() throws Exception {
		IdempotentExecutor executor = executor();
		executor.execute(this.tool, this.call, (running, arguments) -> "done");
		Future<Answer> answer = this.threads.submit(() -> {
			Thread.currentThread().interrupt();
			return executor.execute(this.tool, this.call, IdempotentExecutorTest::mustNotRun);
		});
		assertThat(answer.get(10, TimeUnit.SECONDS)).isEqualTo(new Answer.Result("t1:c1", "done", true));
	}

	@Test
	void theLeaseCountsFromBeforeTheClaimWasAskedForAndNothingIsSentAfterIt() {
		Duration lease = Duration.ofMillis(1500);
		long[] askedAt = new long[1];
		OperationStore slow = (OperationStore) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { OperationStore.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("renew")) {
						throw new IdempotencyStoreException("the database is away");
					}
					if (method.getName().equals("claim")) {
						askedAt[0] = System.nanoTime();
						Object claim = method.invoke(this.store, arguments);
						await().until(() -> System.nanoTime() - askedAt[0] > lease.toNanos() / 3);
						return claim;
					}
					return method.invoke(this.store, arguments);
				});
		List<String> sent = new ArrayList<>();
		try (IdempotentExecutor executor = Engines.on(slow, new IdempotentExecutor.Timing(lease, LONG, LONG))) {
			executor.execute(this.tool, this.call, (running, arguments) -> {
				RunningCall attempt = RunningCall.ofThisThread().orElseThrow();
				await().pollInterval(Duration.ofMillis(5))
					.until(() -> System.nanoTime() - askedAt[0] > lease.toNanos());
				for (Consumer<String> way : List.<Consumer<String>>of(attempt::send, attempt::sendElsewhere)) {
					try {
						way.accept("POST");
						sent.add("POST");
					}
					catch (IdempotencyException ex) {
						assertThat(ex).hasMessageContaining("lease");
					}
				}
				return "done";
			});
		}
		assertThat(sent).isEmpty();
	}

	@Test
	void howeverAStoreFailsTheCallerStillGetsTheOutcome() {
		OperationStore failing = (OperationStore) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { OperationStore.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("complete")) {
						throw new IllegalStateException("a driver's own exception");
					}
					return method.invoke(this.store, arguments);
				});
		try (IdempotentExecutor executor = Engines.on(failing, new IdempotentExecutor.Timing(LONG, LONG, LONG))) {
			assertThat(executor.execute(this.tool, this.call, (running, arguments) -> "done"))
				.isEqualTo(new Answer.Result("t1:c1", "done", false));
		}
	}

	@Test
	void timesThatNobodyLivesToSeeAreNoProblem() {
		Duration ages = Duration.ofDays(1_000_000);
		IdempotentExecutor executor = executor(LONG, ages, ages);
		assertThat(executor.execute(this.tool, this.call, (running, arguments) -> "done"))
			.isEqualTo(new Answer.Result("t1:c1", "done", false));
	}

	@Test
	void whereAReplanIsRejectedTheSameIdInAnotherTaskIsAReplanToo() {
		ToolPolicy once = new ToolPolicy("charge", ArgumentSchema.of(null), (incoming, json) -> "order 4711",
				Duplicates.REJECT, Set.of(), EffectPolicy.OPAQUE);
		IncomingCall other = new IncomingCall("t2", "c1", null, "{\"amount\":1}", Map.of(), LoopPosition.FIRST);
		IdempotentExecutor executor = executor();
		executor.execute(once, this.call, (running, arguments) -> "done");
		assertThat(executor.execute(once, this.call, IdempotentExecutorTest::mustNotRun))
			.isEqualTo(new Answer.Result("t1:c1", "done", true));
		assertNotice(executor.execute(once, other, IdempotentExecutorTest::mustNotRun), Status.ALREADY_DONE);
	}

	@Test
	void aCauseThatSaysNotAppliedDoesNotSpeakForTheWholeAttempt() {
		Answer answer = executor().execute(this.tool, this.call, (running, arguments) -> {
			throw new IllegalStateException("receipt failed", new EffectNotAppliedException("no receipt"));
		});
		assertNotice(answer, Status.IN_DOUBT);
	}

	@Test
	void ifTheOutcomeCannotBeStoredTheCallerStillGetsItAndTheEffectIsNotRepeated() {
		Answer answer = executor().execute(this.tool, this.call, (running, arguments) -> {
			this.dataSource.close();
			return "done";
		});
		assertThat(answer).isEqualTo(new Answer.Result("t1:c1", "done", false));
		this.dataSource = connect();
		this.store = JdbcOperationStore.create(this.dataSource, "test", null);
		IdempotentExecutor restarted = executor(LONG, LONG, Duration.ZERO);
		assertNotice(restarted.execute(this.tool, this.call, IdempotentExecutorTest::mustNotRun), Status.IN_PROGRESS);
		JdbcClient.create(this.dataSource).sql("UPDATE idem_operation SET lease_until = created_at").update();
		assertNotice(restarted.execute(this.tool, this.call, IdempotentExecutorTest::mustNotRun), Status.IN_DOUBT);
	}

	@Test
	void withoutADatabaseTheToolIsNotEntered() {
		IdempotentExecutor executor = executor();
		this.dataSource.close();
		assertThatExceptionOfType(IdempotencyStoreException.class)
			.isThrownBy(() -> executor.execute(this.tool, this.call, IdempotentExecutorTest::mustNotRun))
			.withMessageContaining("t1:c1")
			.withMessageContaining("charge");
	}

	@Test
	void aCallInsideAToolHasItsOwnIdsAndTheOuterOnesAreBackAfterwards() {
		IdempotentExecutor executor = executor();
		IncomingCall inner = new IncomingCall("t2", "c9", null, "{}", Map.of(), LoopPosition.FIRST);
		List<String> ids = new ArrayList<>();
		Runnable note = () -> ids.add(IdempotentCall.current().map(IdempotentCall::requestId).orElse("none"));
		note.run();
		executor.execute(this.tool, this.call, (running, arguments) -> {
			note.run();
			executor.execute(this.tool, inner, (nested, nestedArguments) -> {
				note.run();
				return "inner";
			});
			note.run();
			return "outer";
		});
		note.run();
		assertThat(ids).containsExactly("none", "t1:c1", "t2:c9", "t1:c1", "none");
	}

	@Test
	void aRequiredArgumentThatIsMissingIsRefusedBeforeTheClaimAndNamed() {
		ToolPolicy strict = new ToolPolicy("charge", ArgumentSchema.of("""
				{"type":"object","properties":{"user":{"type":"string"},"amount":{"type":"number"}},
				"required":["user","amount"],"additionalProperties":false}"""), CallBinder.NONE, Duplicates.COLLAPSE,
				Set.of(), EffectPolicy.OPAQUE);
		assertThatExceptionOfType(InvalidArgumentsException.class)
			.isThrownBy(() -> executor().execute(strict, this.call, IdempotentExecutorTest::mustNotRun))
			.withMessageContaining("user")
			.withMessageNotContaining("amount");
		assertThat(this.jdbc.sql("SELECT count(*) FROM idem_operation").query(Long.class).single()).isZero();
	}

	@Test
	void theHistoryTellsWhoClaimedWhatCameOfItAndWhy() throws ExecutionException {
		IdempotentExecutor executor = executor();
		executor.execute(this.tool, this.call, (running, arguments) -> {
			throw new EffectNotAppliedException("card declined");
		});
		executor.execute(this.tool,
				new IncomingCall("t1", "c2", null, "{\"amount\":1.0}", Map.of(), LoopPosition.FIRST),
				(running, arguments) -> "done");
		List<Transition> history = this.store.history("t1:c1");
		assertThat(history).extracting(Transition::version).containsExactly(1L, 2L, 3L, 4L);
		assertThat(history).extracting(Transition::attempt).containsExactly(1, 1, 2, 2);
		assertThat(history).extracting(Transition::trigger)
			.containsExactly(Transition.Trigger.CLAIMED, Transition.Trigger.THREW, Transition.Trigger.CLAIMED,
					Transition.Trigger.RETURNED);
		assertThat(history).extracting(Transition::evidence).first().asString().contains("c1");
		assertThat(history.get(1).evidence()).contains("card declined");
		assertThat(history.get(2).evidence()).contains("c2");
		assertThat(history.get(0).actor()).isEqualTo(history.get(1).actor()).isNotEqualTo(history.get(2).actor());
		assertThat(this.store.find("t1:c1")).map(Operation::arguments).contains("{\"amount\":1.0}");
	}

	private OffsetDateTime lease() {
		return this.jdbc.sql("SELECT lease_until FROM idem_operation").query(OffsetDateTime.class).single();
	}

	private static String mustNotRun(IdempotentCall running, String arguments) {
		throw new AssertionError("the tool was entered");
	}

	private static void assertNotice(Answer answer, Status status) {
		assertThat(answer).isInstanceOfSatisfying(Answer.Notice.class,
				(notice) -> assertThat(notice.status()).isEqualTo(status));
	}

	@SuppressWarnings("unchecked")
	private static <E extends Throwable> String sneakily(Throwable thrown) throws E {
		throw (E) thrown;
	}

	private static void awaitLatch(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
