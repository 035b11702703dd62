package io.github.idem.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.idem.Decision;
import io.github.idem.Downstream;
import io.github.idem.IdempotencyStoreException;
import io.github.idem.Operation;
import io.github.idem.OperationResolver;
import io.github.idem.OperationStatus;
import io.github.idem.ResolutionRefusedException;
import io.github.idem.identity.CallIdentity;
import io.github.idem.operation.Claim;
import io.github.idem.operation.ClaimRequest;
import io.github.idem.operation.Settlement;
import io.github.idem.operation.Transition;
import io.github.idem.operation.Transition.Trigger;
import io.github.idem.recovery.StoreOperationResolver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What every store does, whatever its database. Each test has a namespace of its own, and
 * beside it another one with an equal operation that must not be touched.
 */
abstract class OperationStoreContractTest {

	private static final AtomicInteger COUNT = new AtomicInteger();

	private static final Duration LEASE = Duration.ofMinutes(1);

	private static final CallIdentity CALL = call("task", "call", "charge", "29.9");

	private final String namespace = "app-" + COUNT.incrementAndGet();

	private HikariDataSource pool;

	private JdbcTemplate jdbc;

	private JdbcOperationStore store;

	private JdbcOperationStore neighbour;

	private Operation neighboursOperation;

	/**
	 * A database with the tables in place, the same for all tests of the class.
	 * @return its JDBC URL
	 */
	abstract String url();

	/**
	 * The same database while it can't be reached.
	 * @return a JDBC URL that leads nowhere
	 */
	abstract String urlOfDeadDatabase();

	@BeforeEach
	void openStoreBesideItsNeighbour() {
		this.pool = pool((config) -> config.setMaximumPoolSize(12));
		this.jdbc = new JdbcTemplate(this.pool);
		this.store = JdbcOperationStore.create(this.pool, this.namespace, null);
		this.neighbour = JdbcOperationStore.create(this.pool, this.namespace + "-neighbour", null);
		this.neighboursOperation = granted(this.neighbour.claim(request(CALL, "order-1", "neighbour"))).operation();
		expire(this.neighboursOperation);
	}

	@AfterEach
	void leaveTheNeighbourAlone() {
		try {
			assertThat(this.neighbour.find(this.neighboursOperation.requestId())).contains(this.neighboursOperation);
			assertThat(this.neighbour.history(this.neighboursOperation.requestId())).hasSize(1);
		}
		finally {
			this.pool.close();
		}
	}

	// The first claim

	@Test
	void theFirstClaimIsGrantedAndOnRecord() {
		Claim.Granted grant = granted(this.store.claim(request(CALL, "order-1", "a")));

		Operation operation = grant.operation();
		assertThat(grant.owner()).isEqualTo("a");
		assertThat(operation)
			.isEqualTo(new Operation(this.namespace, "task:call", "task", "call", "charge", OperationStatus.IN_PROGRESS,
					1, 1, false, "order-1", "{}", null, null, operation.createdAt(), operation.createdAt()));
		assertThat(this.store.find("task:call")).contains(operation);
		assertThat(this.store.find("task", "charge", CALL.dedupKey())).contains(operation);
		assertThat(this.store.findByToolCall("task", "call")).containsExactly(operation);
		assertThat(this.store.history("task:call")).containsExactly(new Transition(1, null, OperationStatus.IN_PROGRESS,
				1, Trigger.CLAIMED, "a", "call", operation.createdAt()));
	}

	@Test
	void somebodyElseIsToldThatItRuns() {
		Operation running = granted(this.store.claim(request(CALL, null, "a"))).operation();

		assertThat(this.store.claim(request(CALL, null, "b"))).isEqualTo(new Claim.InProgress(running));
		assertThat(this.store.claim(request(call("task", "another id", "charge", "29.9"), null, "b")))
			.isEqualTo(new Claim.InProgress(running));
		assertTrail(running, "IN_PROGRESS CLAIMED a");
	}

	@Test
	void aClaimWhoseAcknowledgementWasLostIsGrantedToTheSameOwnerAgain() {
		Claim first = this.store.claim(request(CALL, "order-1", "a"));

		assertThat(this.store.claim(request(CALL, "order-1", "a"))).isEqualTo(first);
		assertTrail(first.operation(), "IN_PROGRESS CLAIMED a");
	}

	@Test
	void theOwnTokenIsNoGrantOnceTheLeaseHasRunOut() {
		Claim first = this.store.claim(request(CALL, null, "a"));
		expire(first.operation());

		assertThat(this.store.claim(request(CALL, null, "a"))).isInstanceOf(Claim.InDoubt.class);
		assertTrail(first.operation(), "IN_PROGRESS CLAIMED a", "IN_DOUBT LEASE_EXPIRED lease-expiry");
	}

	@Test
	void anotherTaskToolOrArgumentIsAnotherOperation() {
		this.store.claim(request(CALL, null, "a"));

		assertThat(this.store.claim(request(call("task2", "call", "charge", "29.9"), null, "b")))
			.isInstanceOf(Claim.Granted.class);
		assertThat(this.store.claim(request(call("task", "call2", "refund", "29.9"), null, "c")))
			.isInstanceOf(Claim.Granted.class);
		assertThat(this.store.claim(request(call("task", "call3", "charge", "30"), null, "d")))
			.isInstanceOf(Claim.Granted.class);
	}

	@Test
	void aRequestIdThatNamesAnotherOperationIsNotUsedTwice() {
		Operation first = granted(this.store.claim(request(call("a:b", "c", "charge", "1"), null, "o1"))).operation();
		CallIdentity second = call("a", "b:c", "charge", "1");

		Operation other = granted(this.store.claim(request(second, null, "o2"))).operation();

		assertThat(first.requestId()).isEqualTo("a:b:c");
		assertThat(other.requestId()).startsWith("a:b:c~");
		assertThat(this.store.claim(request(second, null, "o3"))).isEqualTo(new Claim.InProgress(other));
		assertThat(this.store.find("a:b:c")).contains(first);
	}

	@Test
	void oneIdForAllParallelCallsIsOneOperationEach() {
		granted(this.store.claim(request(call("task", "call_x", "charge", "1"), null, "a")));
		granted(this.store.claim(request(call("task", "call_x", "charge", "2"), null, "b")));

		assertThat(this.store.findByToolCall("task", "call_x")).extracting(Operation::requestId)
			.hasSize(2)
			.doesNotHaveDuplicates()
			.first()
			.isEqualTo("task:call_x");
	}

	// What is settled answers

	@Test
	void aCompletedCallIsReplayedByteForByte() {
		String result = "{\"a\": 1.10,\n\t\"b\":\"ü \uD83D\uDE00 \u0000 \u001A0000 \uD800 \uDC00\"}\r\n ";
		Claim.Granted grant = granted(this.store.claim(request(CALL, null, "a", result)));
		Settlement settled = this.store.complete(grant, result);

		Claim again = this.store.claim(request(CALL, null, "b"));

		assertThat(settled).isEqualTo(new Settlement.Recorded(again.operation()));
		assertThat(again).isInstanceOf(Claim.Completed.class);
		assertThat(again.operation().result()).isEqualTo(result);
		assertThat(again.operation().arguments()).isEqualTo(result);
		assertThat(again.operation().status()).isEqualTo(OperationStatus.SUCCEEDED);
		assertTrail(again.operation(), "IN_PROGRESS CLAIMED a", "SUCCEEDED RETURNED a");
	}

	@Test
	void aToolWithoutAResultIsReplayedWithoutOne() {
		this.store.complete(granted(this.store.claim(request(CALL, null, "a"))), null);

		assertThat(this.store.claim(request(CALL, null, "b")).operation().result()).isNull();
	}

	@Test
	void whatIsBeingUndoneIsInProgressAndWhatIsUndoneIsCompleted() {
		Operation operation = this.store.claim(request(CALL, null, "a")).operation();
		set(operation, "status = 'COMPENSATING'");
		assertThat(this.store.claim(request(CALL, null, "b"))).isInstanceOf(Claim.InProgress.class);

		set(operation, "status = 'COMPENSATED'");
		assertThat(this.store.claim(request(CALL, null, "b"))).isInstanceOf(Claim.Completed.class);
	}

	@Test
	void aDefiniteFailureIsClaimedAgainInPlace() {
		Claim.Granted first = granted(this.store.claim(request(CALL, "order-1", "a")));
		Settlement failed = this.store.fail(first, "declined");
		expire(first.operation());

		Claim.Granted second = granted(
				this.store.claim(request(call("task", "replan", "charge", "29.9"), "order-1", "b")));

		assertThat(failed).isInstanceOfSatisfying(Settlement.Recorded.class, (recorded) -> {
			assertThat(recorded.operation().status()).isEqualTo(OperationStatus.FAILED);
			assertThat(recorded.operation().error()).isEqualTo("declined");
			assertThat(recorded.operation().businessRef()).isEqualTo("order-1");
			assertThat(recorded.operation().mayHaveApplied()).isFalse();
		});
		assertThat(second.operation().requestId()).isEqualTo(first.operation().requestId());
		assertThat(second.operation().attempt()).isEqualTo(2);
		assertThat(second.owner()).isEqualTo("b");
		assertThat(this.store.claim(request(CALL, "order-1", "c"))).isInstanceOf(Claim.InProgress.class);
		assertThat(this.store.claim(request(CALL, "order-1", "b"))).isEqualTo(second);
		assertThat(column(second.operation(), "business_key")).isEqualTo("order-1");
		assertTrail(second.operation(), "IN_PROGRESS CLAIMED a", "FAILED THREW a", "IN_PROGRESS CLAIMED b");
		assertThat(this.store.history(first.operation().requestId()).get(2).evidence()).isEqualTo("replan");
	}

	@Test
	void aDisputedFailureIsInDoubtAndNeverGranted() {
		Claim.Granted grant = granted(this.store.claim(request(CALL, null, "a")));
		this.store.fail(grant, "declined");
		set(grant.operation(), "may_have_applied = TRUE");

		assertThat(this.store.claim(request(CALL, null, "b"))).isInstanceOf(Claim.InDoubt.class);
		assertThat(this.store.find("task:call").orElseThrow().status()).isEqualTo(OperationStatus.FAILED);
	}

	// Business keys

	@Test
	void theHolderOfABusinessKeyAnswersTheSameCallOfAnotherTask() {
		Claim.Granted holder = granted(this.store.claim(request(CALL, "order-1", "a")));
		CallIdentity other = call("task2", "call", "charge", "29.9");

		assertThat(this.store.claim(request(other, "order-1", "b")))
			.isEqualTo(new Claim.InProgress(holder.operation()));
		this.store.doubt(holder, "timeout");
		assertThat(this.store.claim(request(other, "order-1", "b"))).isInstanceOf(Claim.InDoubt.class);
		this.store.complete(holder, "paid");
		assertThat(this.store.claim(request(other, "order-1", "b"))).isInstanceOfSatisfying(Claim.Completed.class,
				(completed) -> {
					assertThat(completed.operation().requestId()).isEqualTo("task:call");
					assertThat(completed.operation().result()).isEqualTo("paid");
				});
		assertThat(this.store.find("task2:call")).isEmpty();
	}

	@Test
	void theSameKeyWithOtherArgumentsIsAConflict() {
		Claim.Granted holder = granted(this.store.claim(request(CALL, "order-1", "a")));
		CallIdentity otherAmount = call("task", "call2", "charge", "99");

		assertThat(this.store.claim(request(otherAmount, "order-1", "b")))
			.isEqualTo(new Claim.Conflict(holder.operation()));
		this.store.complete(holder, "paid");
		assertThat(this.store.claim(request(otherAmount, "order-1", "b"))).isInstanceOf(Claim.Conflict.class);
		assertThat(this.store.claim(request(otherAmount, "order-2", "b"))).isInstanceOf(Claim.Granted.class);
	}

	@Test
	void theSameKeyOfAnotherToolIsAnotherKey() {
		this.store.claim(request(CALL, "order-1", "a"));

		assertThat(this.store.claim(request(call("task", "call2", "refund", "29.9"), "order-1", "b")))
			.isInstanceOf(Claim.Granted.class);
	}

	@Test
	void theOwnRowAnswersBeforeTheHolderOfTheKey() {
		Operation own = granted(this.store.claim(request(CALL, null, "a"))).operation();
		this.store.claim(request(call("task2", "call", "charge", "99"), "order-1", "b"));

		assertThat(this.store.claim(request(CALL, "order-1", "c"))).isEqualTo(new Claim.InProgress(own));
	}

	@Test
	void aHolderWhoseLeaseHasRunOutIsPutInDoubt() {
		Operation holder = this.store.claim(request(CALL, "order-1", "a")).operation();
		expire(holder);

		assertThat(this.store.claim(request(call("task2", "call", "charge", "29.9"), "order-1", "b")))
			.isInstanceOf(Claim.InDoubt.class);
		assertTrail(holder, "IN_PROGRESS CLAIMED a", "IN_DOUBT LEASE_EXPIRED lease-expiry");
	}

	@Test
	void aFailedOperationWhoseKeyWasTakenMeanwhileIsAnsweredByTheHolder() {
		this.store.fail(granted(this.store.claim(request(CALL, "order-1", "a"))), "declined");
		Claim.Granted holder = granted(
				this.store.claim(request(call("task2", "call", "charge", "29.9"), "order-1", "b")));

		assertThat(this.store.claim(request(CALL, "order-1", "c"))).isEqualTo(new Claim.InProgress(holder.operation()));
		this.store.doubt(holder, "timeout");
		assertThat(this.store.claim(request(CALL, "order-1", "c"))).isInstanceOf(Claim.InDoubt.class);
		this.store.complete(holder, "paid");
		assertThat(this.store.claim(request(CALL, "order-1", "c"))).isInstanceOfSatisfying(Claim.Completed.class,
				(completed) -> {
					assertThat(completed.operation().taskId()).isEqualTo("task2");
					assertThat(completed.operation().result()).isEqualTo("paid");
				});
		assertTrail(this.store.find("task:call").orElseThrow(), "IN_PROGRESS CLAIMED a", "FAILED THREW a");
	}

	@Test
	void whatIsDisputedIsNotSentAgainWhileAnotherHoldsItsKey() {
		OperationResolver people = new StoreOperationResolver(this.store);
		Claim.Granted late = granted(this.store.claim(request(CALL, "order-1", "a")));
		this.store.doubt(late, "timeout");
		people.resolve("task:call", 2, new Decision.NotApplied(), "alice", null);
		Claim.Granted holder = granted(
				this.store.claim(request(call("task2", "call", "charge", "29.9"), "order-1", "b")));
		this.store.complete(holder, "paid");
		this.store.complete(late, "paid as well");
		Operation disputed = this.store.find("task:call").orElseThrow();

		assertThatExceptionOfType(ResolutionRefusedException.class)
			.isThrownBy(
					() -> people.resolve("task:call", disputed.version(), new Decision.SendAgainOnce(), "alice", null))
			.withMessageContaining("key 'order-1' is held by another operation");
		assertThat(this.store.find("task:call")).contains(disputed);
		people.resolve("task2:call", holder.operation().version() + 1, new Decision.ReleaseKey(), "alice", null);
		assertThat(
				people.resolve("task:call", disputed.version(), new Decision.SendAgainOnce(), "alice", null).status())
			.isEqualTo(OperationStatus.IN_DOUBT);
		assertThat(column(disputed, "business_key")).isEqualTo("order-1");
	}

	@Test
	void aFailedOperationWhoseKeyWentToOtherArgumentsIsAConflict() {
		this.store.fail(granted(this.store.claim(request(CALL, "order-1", "a"))), "declined");
		this.store.claim(request(call("task2", "call", "charge", "99"), "order-1", "b"));

		assertThat(this.store.claim(request(CALL, "order-1", "c"))).isInstanceOf(Claim.Conflict.class);
	}

	// Doubt

	@Test
	void aLeaseThatRanOutIsDoubtAndNeverAGrant() {
		Operation operation = this.store.claim(request(CALL, null, "a")).operation();
		expire(operation);

		for (String asker : List.of("b", "c", "d")) {
			assertThat(this.store.claim(request(CALL, null, asker))).isInstanceOfSatisfying(Claim.InDoubt.class,
					(doubt) -> {
						assertThat(doubt.operation().status()).isEqualTo(OperationStatus.IN_DOUBT);
						assertThat(doubt.operation().mayHaveApplied()).isTrue();
						assertThat(doubt.operation().attempt()).isEqualTo(1);
					});
		}
		assertTrail(operation, "IN_PROGRESS CLAIMED a", "IN_DOUBT LEASE_EXPIRED lease-expiry");
	}

	@Test
	void anAttemptOfUnknownOutcomeIsInDoubt() {
		Claim.Granted grant = granted(this.store.claim(request(CALL, "order-1", "a")));

		Settlement settlement = this.store.doubt(grant, "read timed out");

		Operation operation = ((Settlement.Recorded) settlement).operation();
		assertThat(operation.mayHaveApplied()).isTrue();
		assertThat(operation.error()).isEqualTo("read timed out");
		assertThat(column(operation, "business_key")).isEqualTo("order-1");
		assertThat(this.store.claim(request(CALL, "order-1", "b"))).isEqualTo(new Claim.InDoubt(operation));
		assertTrail(operation, "IN_PROGRESS CLAIMED a", "IN_DOUBT THREW a");
		assertThat(this.store.history("task:call").get(1).evidence()).isEqualTo("read timed out");
	}

	@Test
	void aLateOwnerMayStillReportThatItsAttemptSucceeded() {
		Claim.Granted grant = granted(this.store.claim(request(CALL, null, "a")));
		expire(grant.operation());
		this.store.claim(request(CALL, null, "b"));

		Settlement settlement = this.store.complete(grant, "paid");

		Operation operation = ((Settlement.Recorded) settlement).operation();
		assertThat(operation.status()).isEqualTo(OperationStatus.SUCCEEDED);
		assertThat(operation.mayHaveApplied()).isFalse();
		assertThat(this.store.claim(request(CALL, null, "b"))).isEqualTo(new Claim.Completed(operation));
		assertTrail(operation, "IN_PROGRESS CLAIMED a", "IN_DOUBT LEASE_EXPIRED lease-expiry", "SUCCEEDED RETURNED a");
		assertThat(discrepancies()).isZero();
	}

	@Test
	void anOwnerWhoseLeaseRanOutUnnoticedMayStillComplete() {
		Claim.Granted grant = granted(this.store.claim(request(CALL, null, "a")));
		expire(grant.operation());

		assertThat(this.store.complete(grant, "paid")).isInstanceOf(Settlement.Recorded.class);
		assertTrail(grant.operation(), "IN_PROGRESS CLAIMED a", "SUCCEEDED RETURNED a");
	}

	@Test
	void aLateOwnerMayReportADefiniteFailureOfTheOnlyAttempt() {
		Claim.Granted grant = granted(this.store.claim(request(CALL, "order-1", "a")));
		expire(grant.operation());
		this.store.expireLeases(10);

		Operation operation = ((Settlement.Recorded) this.store.fail(grant, "declined")).operation();

		assertThat(operation.status()).isEqualTo(OperationStatus.FAILED);
		assertThat(operation.mayHaveApplied()).isFalse();
		assertThat(column(operation, "business_key")).isNull();
	}

	@Test
	void aLateFailureInTheSameWordsAsTheAttemptBeforeIsNotTakenForTheOneOnRecord() {
		this.store.fail(granted(this.store.claim(request(CALL, "order-1", "a"))), "declined");
		for (boolean byClaim : List.of(false, true)) {
			Claim.Granted late = granted(this.store.claim(request(CALL, "order-1", "late " + byClaim)));
			expire(late.operation());
			if (byClaim) {
				this.store.claim(request(CALL, "order-1", "b"));
			}
			else {
				this.store.expireLeases(10);
			}

			assertThat(this.store.fail(late, "declined")).isInstanceOfSatisfying(Settlement.Recorded.class,
					(recorded) -> assertThat(recorded.operation().status()).isEqualTo(OperationStatus.FAILED));
		}
	}

	@Test
	void aLateOwnerMayReportADefiniteFailureAlsoAfterAPersonHasDecided() {
		Claim.Granted grant = granted(this.store.claim(request(CALL, null, "a")));
		expire(grant.operation());
		this.store.expireLeases(10);
		new StoreOperationResolver(this.store).resolve("task:call", 2, new Decision.SendAgainOnce(), "alice", null);

		this.store.fail(grant, "declined");
		assertThat(this.store.find("task:call").orElseThrow()).extracting(Operation::status, Operation::mayHaveApplied)
			.containsExactly(OperationStatus.FAILED, false);
	}

	@Test
	void whatIsOnRecordAreTheArgumentsOfTheLastAttempt() {
		this.store.fail(granted(this.store.claim(request(CALL, null, "a"))), "declined");
		Claim.Granted second = granted(this.store
			.claim(new ClaimRequest(CALL, null, null, Downstream.OPAQUE, "{\"memo\":\"two\"}", "b", LEASE)));

		assertThat(second.operation().arguments()).isEqualTo("{\"memo\":\"two\"}");
		assertThat(this.store.find("task:call")).contains(second.operation());
	}

	@Test
	void aLateOwnerMayAddWhatItKnowsToTheDoubt() {
		Claim.Granted grant = granted(this.store.claim(request(CALL, null, "a")));
		expire(grant.operation());
		this.store.expireLeases(10);

		Settlement settlement = this.store.doubt(grant, "read timed out");

		assertThat(this.store.doubt(grant, "read timed out")).isEqualTo(settlement);
		assertThat(this.store.find("task:call").orElseThrow().error()).isEqualTo("read timed out");
		assertTrail(grant.operation(), "IN_PROGRESS CLAIMED a", "IN_DOUBT LEASE_EXPIRED lease-expiry",
				"IN_DOUBT THREW a");
	}

	@Test
	void aFailureAfterAnAttemptInDoubtLeavesTheOperationInDoubt() {
		for (boolean late : List.of(false, true)) {
			CallIdentity call = call("task", "late " + late, "charge", "late " + late);
			Claim.Granted first = granted(this.store.claim(request(call, "order " + late, "a " + late)));
			set(first.operation(), "may_have_applied = TRUE");
			Claim.Granted grant = new Claim.Granted(this.store.find(first.operation().requestId()).orElseThrow(),
					first.owner());
			if (late) {
				expire(first.operation());
				this.store.expireLeases(10);
			}

			Operation operation = ((Settlement.Recorded) this.store.fail(grant, "declined")).operation();

			assertThat(operation.status()).isEqualTo(OperationStatus.IN_DOUBT);
			assertThat(operation.mayHaveApplied()).isTrue();
			assertThat(operation.error()).isEqualTo("declined");
			assertThat(column(operation, "business_key")).isEqualTo("order " + late);
		}
	}

	// Settling

	@Test
	void anOutcomeWhoseAcknowledgementWasLostIsWrittenOnce() {
		Claim.Granted completed = granted(this.store.claim(request(CALL, null, "a")));
		Claim.Granted failed = granted(this.store.claim(request(call("t2", "c", "charge", "1"), null, "b")));
		Claim.Granted doubtful = granted(this.store.claim(request(call("t3", "c", "charge", "1"), null, "c")));

		assertThat(this.store.complete(completed, "paid")).isEqualTo(this.store.complete(completed, "paid"));
		assertThat(this.store.fail(failed, "no")).isEqualTo(this.store.fail(failed, "no"));
		assertThat(this.store.doubt(doubtful, "?")).isEqualTo(this.store.doubt(doubtful, "?"));

		assertTrail(completed.operation(), "IN_PROGRESS CLAIMED a", "SUCCEEDED RETURNED a");
		assertTrail(failed.operation(), "IN_PROGRESS CLAIMED b", "FAILED THREW b");
		assertTrail(doubtful.operation(), "IN_PROGRESS CLAIMED c", "IN_DOUBT THREW c");
		assertThat(discrepancies()).isZero();
	}

	@Test
	void whoeverDoesNotHoldTheClaimCanNotSettleIt() {
		Claim.Granted grant = granted(this.store.claim(request(CALL, null, "a")));
		Claim.Granted stranger = new Claim.Granted(grant.operation(), "b");

		assertThat(this.store.complete(stranger, "x")).isEqualTo(new Settlement.Superseded(grant.operation()));
		assertThat(this.store.fail(stranger, "x")).isEqualTo(new Settlement.Superseded(grant.operation()));
		assertThat(this.store.doubt(stranger, "x")).isEqualTo(new Settlement.Superseded(grant.operation()));

		expire(grant.operation());
		this.store.expireLeases(10);
		assertThat(this.store.complete(stranger, "x")).isInstanceOf(Settlement.Superseded.class);
		assertTrail(grant.operation(), "IN_PROGRESS CLAIMED a", "IN_DOUBT LEASE_EXPIRED lease-expiry");
	}

	@Test
	void aLateOwnerCanNotOverwriteWhatTheNextOneDidAndItsResultIsKept() {
		Claim.Granted late = granted(this.store.claim(request(CALL, null, "late")));
		this.store.fail(late, "declined");
		Claim.Granted second = granted(this.store.claim(request(CALL, null, "second")));

		assertThat(this.store.complete(late, "secret \u0000")).isInstanceOfSatisfying(Settlement.Superseded.class,
				(superseded) -> assertThat(superseded.current())
					.extracting(Operation::status, Operation::attempt, Operation::mayHaveApplied)
					.containsExactly(OperationStatus.IN_PROGRESS, 2, true));
		this.store.complete(second, "paid");
		assertThat(this.store.complete(late, "secret \u0000")).isInstanceOfSatisfying(Settlement.Superseded.class,
				(superseded) -> assertThat(superseded.current().result()).isEqualTo("paid"));

		assertThat(this.store.find("task:call").orElseThrow().result()).isEqualTo("paid");
		assertThat(this.jdbc.queryForList("SELECT * FROM idem_discrepancy WHERE namespace = ? ORDER BY kind",
				this.namespace))
			.extracting((row) -> row.get("request_id"), (row) -> row.get("kind"), (row) -> row.get("state"))
			.containsExactly(tuple("task:call", "EFFECT_WITHOUT_SUCCESS", "OPEN"),
					tuple("task:call", "LATE_RESULT", "OPEN"));
		assertThat(this.jdbc.queryForObject("SELECT evidence FROM idem_discrepancy WHERE namespace = ? AND kind = ?",
				String.class, this.namespace, "LATE_RESULT"))
			.isEqualTo("{\"outcome\":\"SUCCEEDED\",\"attempt\":1,\"owner\":\"late\",\"result\":\"secret \\u0000\","
					+ "\"error\":null}");
		assertTrail(late.operation(), "IN_PROGRESS CLAIMED late", "FAILED THREW late", "IN_PROGRESS CLAIMED second",
				"IN_PROGRESS DISPUTED late", "SUCCEEDED RETURNED second");
	}

	@Test
	void aLateSuccessIsNotForgottenWhileALaterAttemptIsInDoubt() {
		Claim.Granted late = granted(this.store.claim(request(CALL, null, "late")));
		this.store.fail(late, "declined, as was wrongly said");
		Claim.Granted second = granted(this.store.claim(request(CALL, null, "second")));
		expire(second.operation());
		this.store.expireLeases(10);

		assertThat(this.store.complete(late, "paid")).isInstanceOf(Settlement.Superseded.class);
		assertThat(this.store.complete(late, "paid")).isInstanceOf(Settlement.Superseded.class);
		Operation operation = ((Settlement.Recorded) this.store.fail(second, "declined")).operation();

		assertThat(operation.status()).isEqualTo(OperationStatus.IN_DOUBT);
		assertThat(operation.mayHaveApplied()).isTrue();
		assertThat(this.store.claim(request(CALL, null, "third"))).isInstanceOf(Claim.InDoubt.class);
		assertTrail(late.operation(), "IN_PROGRESS CLAIMED late", "FAILED THREW late", "IN_PROGRESS CLAIMED second",
				"IN_DOUBT LEASE_EXPIRED lease-expiry", "IN_DOUBT DISPUTED late", "IN_DOUBT THREW second");
	}

	@Test
	void whatHasSucceededIsNotOverwrittenByItsOwnOwner() {
		Claim.Granted grant = granted(this.store.claim(request(CALL, null, "a")));
		this.store.complete(grant, "paid");

		assertThat(this.store.fail(grant, "no")).isInstanceOf(Settlement.Superseded.class);
		assertThat(this.store.doubt(grant, "?")).isInstanceOf(Settlement.Superseded.class);
		assertThat(this.store.complete(grant, "paid twice")).isInstanceOf(Settlement.Superseded.class);
		assertThat(this.store.find("task:call").orElseThrow().result()).isEqualTo("paid");
		assertThat(discrepancies()).isEqualTo(3);
		assertTrail(grant.operation(), "IN_PROGRESS CLAIMED a", "SUCCEEDED RETURNED a");
	}

	@Test
	void aSettlementNamesTheVersionItExpects() {
		Claim.Granted grant = granted(this.store.claim(request(CALL, null, "a")));
		set(grant.operation(), "version = version + 1");

		assertThat(this.store.complete(grant, "paid")).isInstanceOf(Settlement.Superseded.class);
		assertThat(this.store.find("task:call").orElseThrow().status()).isEqualTo(OperationStatus.IN_PROGRESS);
	}

	// Leases

	@Test
	void aLeaseIsRenewedByItsOwnerOnlyAndLeavesNoTrace() {
		Claim.Granted grant = granted(this.store.claim(request(CALL, null, "a")));
		set(grant.operation(), "lease_until = CURRENT_TIMESTAMP + INTERVAL '30' SECOND");

		assertThat(this.store.renew(new Claim.Granted(grant.operation(), "b"), LEASE)).isFalse();
		assertThat(secondsLeft(grant.operation())).isBetween(20, 30);
		assertThat(this.store.renew(grant, Duration.ofMinutes(10))).isTrue();
		assertThat(secondsLeft(grant.operation())).isBetween(590, 600);
		assertThat(this.store.find("task:call")).contains(grant.operation());
		assertTrail(grant.operation(), "IN_PROGRESS CLAIMED a");
	}

	@Test
	void aLeaseThatRanOutOrWasSettledIsNotRenewed() {
		Claim.Granted expired = granted(this.store.claim(request(CALL, null, "a")));
		expire(expired.operation());
		assertThat(this.store.renew(expired, LEASE)).isFalse();
		this.store.expireLeases(10);
		assertThat(this.store.renew(expired, LEASE)).isFalse();

		Claim.Granted settled = granted(this.store.claim(request(call("task2", "call", "charge", "1"), null, "b")));
		this.store.complete(settled, "paid");
		assertThat(this.store.renew(settled, LEASE)).isFalse();
	}

	@Test
	void aGrantComesWithTheLeaseItAskedFor() {
		Claim.Granted first = granted(this.store.claim(
				new ClaimRequest(CALL, null, null, Downstream.OPAQUE, "{}", "a", Duration.ofHours(2).plusMillis(500))));
		assertThat(secondsLeft(first.operation())).isBetween(7190, 7200);
		this.store.fail(first, "no");

		Claim.Granted second = granted(this.store
			.claim(new ClaimRequest(CALL, null, null, Downstream.OPAQUE, "{}", "b", Duration.ofSeconds(90))));
		assertThat(secondsLeft(second.operation())).isBetween(80, 90);
	}

	@Test
	void expiredLeasesArePutInDoubtTheLongestOverdueFirst() {
		List<Operation> operations = IntStream.range(0, 5)
			.mapToObj((i) -> this.store.claim(request(call("task" + i, "c", "charge", "1"), null, "o" + i)).operation())
			.toList();
		set(operations.get(3), "lease_until = CURRENT_TIMESTAMP - INTERVAL '9' MINUTE");
		set(operations.get(1), "lease_until = CURRENT_TIMESTAMP - INTERVAL '5' MINUTE");
		set(operations.get(4), "lease_until = CURRENT_TIMESTAMP - INTERVAL '1' MINUTE");
		this.store.complete(granted(this.store.claim(request(call("task0", "c", "charge", "1"), null, "o0"))), "ok");
		expire(operations.get(0));

		assertThat(this.store.expireLeases(2)).extracting(Operation::taskId).containsExactly("task3", "task1");
		assertThat(this.store.expireLeases(10)).singleElement().satisfies((operation) -> {
			assertThat(operation.taskId()).isEqualTo("task4");
			assertThat(operation.status()).isEqualTo(OperationStatus.IN_DOUBT);
			assertThat(operation.mayHaveApplied()).isTrue();
		});
		assertThat(this.store.expireLeases(10)).isEmpty();
		assertTrail(operations.get(3), "IN_PROGRESS CLAIMED o3", "IN_DOUBT LEASE_EXPIRED lease-expiry");
		assertTrail(operations.get(2), "IN_PROGRESS CLAIMED o2");
		assertTrail(operations.get(0), "IN_PROGRESS CLAIMED o0", "SUCCEEDED RETURNED o0");
	}

	@Test
	void aLiveLeaseStaysLiveForANodeInAnotherTimeZone() {
		JdbcOperationStore inKiritimati = inTimeZone("Pacific/Kiritimati");
		JdbcOperationStore inPagoPago = inTimeZone("Pacific/Pago_Pago");
		Claim.Granted west = granted(inPagoPago.claim(request(CALL, null, "west")));
		Claim.Granted east = granted(inKiritimati.claim(request(call("task2", "c", "charge", "1"), null, "east")));

		assertThat(inKiritimati.claim(request(CALL, null, "b"))).isEqualTo(new Claim.InProgress(west.operation()));
		assertThat(inPagoPago.claim(request(east.operation(), "b"))).isEqualTo(new Claim.InProgress(east.operation()));
		assertThat(inKiritimati.expireLeases(10)).isEmpty();
		assertThat(inPagoPago.expireLeases(10)).isEmpty();
		assertThat(inKiritimati.renew(west, LEASE)).isTrue();
		assertThat(inPagoPago.renew(east, LEASE)).isTrue();

		expire(west.operation());
		expire(east.operation());
		assertThat(inPagoPago.renew(east, LEASE)).isFalse();
		assertThat(inPagoPago.expireLeases(10)).hasSize(2);
	}

	// Many at once

	@Test
	void ofManyWhoAskAtOnceExactlyOneIsGranted() throws Exception {
		for (int round = 0; round < 100; round++) {
			CallIdentity call = call("task" + round, "call", "charge", "1");
			List<Claim> claims = together(8, (i) -> this.store.claim(request(call, null, "owner " + i)));

			assertThat(claims).filteredOn(Claim.Granted.class::isInstance).hasSize(1);
			assertThat(claims).filteredOn(Claim.InProgress.class::isInstance).hasSize(7);
			assertThat(claims).extracting((claim) -> claim.operation().requestId())
				.containsOnly("task" + round + ":call");
			assertThat(this.store.history("task" + round + ":call")).hasSize(1);
		}
	}

	@Test
	void ofManyWhoClaimAFailedOperationExactlyOneIsGranted() throws Exception {
		for (int round = 0; round < 50; round++) {
			CallIdentity call = call("task" + round, "call", "charge", "1");
			Claim.Granted first = granted(this.store.claim(request(call, null, "first")));
			this.store.fail(first, "declined");

			List<Claim> claims = together(8, (i) -> this.store.claim(request(call, null, "owner " + i)));

			assertThat(claims).filteredOn(Claim.Granted.class::isInstance)
				.singleElement()
				.satisfies((claim) -> assertThat(claim.operation().attempt()).isEqualTo(2));
			assertThat(claims).filteredOn(Claim.InProgress.class::isInstance).hasSize(7);
			assertThat(this.store.history(first.operation().requestId())).extracting(Transition::version)
				.containsExactly(1L, 2L, 3L);
		}
	}

	@Test
	void ofManyTasksThatWantOneBusinessKeyExactlyOneIsGranted() throws Exception {
		for (int round = 0; round < 50; round++) {
			String key = "order " + round;
			String failed = "failed " + round;
			this.store.fail(granted(this.store.claim(request(call(failed, "call", "charge", "1"), key, "first"))),
					"no");

			List<Claim> claims = together(8, (i) -> this.store.claim(
					request(call((i == 0) ? failed : "task " + i + " " + key, "call", "charge", "1"), key, "o" + i)));

			assertThat(claims).filteredOn(Claim.Granted.class::isInstance).hasSize(1);
			assertThat(claims).filteredOn(Claim.InProgress.class::isInstance).hasSize(7);
			assertThat(claims).extracting((claim) -> claim.operation().requestId())
				.containsOnly(claims.stream()
					.filter(Claim.Granted.class::isInstance)
					.findFirst()
					.orElseThrow()
					.operation()
					.requestId());
		}
	}

	@Test
	void differentCallsUnderOneRequestIdAreAllGranted() throws Exception {
		for (int round = 0; round < 20; round++) {
			String task = "task" + round;
			List<Claim> claims = together(8,
					(i) -> this.store.claim(request(call(task, "call_x", "charge", "" + i), null, "owner " + i)));

			assertThat(claims).hasOnlyElementsOfType(Claim.Granted.class);
			assertThat(claims).extracting((claim) -> claim.operation().requestId()).doesNotHaveDuplicates();
		}
	}

	@Test
	void anOwnerAndItsExpiryNeverLoseAnOutcome() throws Exception {
		for (int round = 0; round < 50; round++) {
			CallIdentity call = call("task" + round, "call", "charge", "1");
			Claim.Granted grant = granted(this.store.claim(request(call, null, "owner")));
			expire(grant.operation());

			List<Object> outcomes = together(4, (i) -> switch (i) {
				case 0 -> this.store.complete(grant, "paid");
				case 1 -> this.store.expireLeases(10);
				case 2 -> this.store.claim(request(call, null, "another"));
				default -> this.store.expireLeases(10);
			});

			assertThat(outcomes.get(0)).isInstanceOf(Settlement.Recorded.class);
			assertThat(outcomes.get(2)).isNotInstanceOf(Claim.Granted.class);
			Operation operation = this.store.find(grant.operation().requestId()).orElseThrow();
			assertThat(operation.status()).isEqualTo(OperationStatus.SUCCEEDED);
			assertThat(this.store.history(operation.requestId())).extracting(Transition::version)
				.containsExactlyElementsOf(
						IntStream.rangeClosed(1, (int) operation.version()).mapToObj(Long::valueOf).toList());
		}
	}

	@Test
	void severalNodesPutEachExpiredOperationInDoubtOnce() throws Exception {
		IntStream.range(0, 200)
			.forEach((i) -> this.store.claim(request(call("task" + i, "c", "charge", "1"), null, "o" + i)));
		this.jdbc.update("UPDATE idem_operation SET lease_until = created_at WHERE namespace = ?", this.namespace);

		List<List<Operation>> expired = together(4, (i) -> {
			List<Operation> mine = new ArrayList<>();
			while (!noneLeft()) {
				mine.addAll(this.store.expireLeases(7));
			}
			return mine;
		});

		assertThat(expired.stream().flatMap(List::stream).map(Operation::requestId)).hasSize(200)
			.doesNotHaveDuplicates();
		assertThat(this.jdbc.queryForObject("SELECT COUNT(*) FROM idem_transition WHERE namespace = ?", Integer.class,
				this.namespace))
			.isEqualTo(400);
	}

	// Large and strange values

	@Test
	void aMegabyteOfArgumentsAndResultIsKept() {
		String arguments = "{\"text\":\"" + randomText(1_500_000, 1) + "\"}";
		String result = randomText(1_500_000, 2);
		Claim.Granted grant = granted(this.store.claim(request(CALL, null, "a", arguments)));
		this.store.complete(grant, result);

		Operation replayed = this.store.claim(request(CALL, null, "b", arguments)).operation();

		assertThat(replayed.arguments()).isEqualTo(arguments);
		assertThat(replayed.result()).isEqualTo(result);
	}

	@Test
	void idsOfFourKilobytesAreToldApartAndFoundByTheirRealValue() {
		String task = randomText(4096, 3);
		String id = randomText(4096, 4);
		String tool = randomText(4096, 5);
		String key = randomText(4096, 6);
		CallIdentity call = call(task, id, tool, "1");
		Claim.Granted grant = granted(this.store.claim(request(call, key, "a")));
		Operation operation = grant.operation();

		assertThat(operation.requestId()).hasSizeLessThanOrEqualTo(255);
		assertThat(operation)
			.extracting(Operation::taskId, Operation::toolCallId, Operation::tool, Operation::businessRef)
			.containsExactly(task, id, tool, key);
		assertThat(this.store.claim(request(call, key, "b"))).isEqualTo(new Claim.InProgress(operation));
		assertThat(this.store.find(task, tool, call.dedupKey())).contains(operation);
		assertThat(this.store.findByToolCall(task, id)).containsExactly(operation);
		assertThat(this.store.find(task + "x", tool, call.dedupKey())).isEmpty();
		assertThat(this.store.claim(request(call(task + "x", id, tool, "1"), key, "c")))
			.isEqualTo(new Claim.InProgress(operation));
		assertThat(this.store.claim(request(call(task + "x", id, tool, "1"), key + "x", "c")))
			.isInstanceOf(Claim.Granted.class);
		assertThat(this.jdbc.queryForObject(
				"SELECT COUNT(*) FROM idem_operation WHERE namespace = ? AND task_id = ? AND tool_call_id = ? AND tool = ?",
				Integer.class, this.namespace, task, id, tool))
			.isEqualTo(1);
	}

	@Test
	void idsMayHoldAnyCharacter() {
		CallIdentity call = call("t\u0000\uD83D\uDE00\\'\"", "c\u001A\uDC00?:x", "tool :a ${b} ü", "1");
		Claim.Granted grant = granted(this.store.claim(request(call, "k\u0000\\x", "o\u0000")));

		assertThat(grant.operation().taskId()).isEqualTo(call.taskId());
		assertThat(this.store.claim(request(call, "k\u0000\\x", "b")))
			.isEqualTo(new Claim.InProgress(grant.operation()));
		assertThat(this.store.complete(grant, "ok")).isInstanceOf(Settlement.Recorded.class);
		assertThat(this.store.findByToolCall(call.taskId(), call.toolCallId())).hasSize(1);
		assertThat(
				this.store.claim(request(call("t\uD83D\uDE00\\'\"", call.toolCallId(), call.tool(), "1"), null, "c")))
			.isInstanceOf(Claim.Granted.class);
	}

	@Test
	void idsThatDifferInCaseOrTrailingBlanksDiffer() {
		granted(this.store.claim(request(CALL, "order-1", "a")));

		granted(this.store.claim(request(call("Task", "call", "charge", "29.9"), "Order-1", "b")));
		granted(this.store.claim(request(call("task ", "call", "charge", "29.9"), "order-1 ", "c")));
	}

	// The connection

	@Test
	void aPoolWithoutAutoCommitCommitsAllTheSame() throws Exception {
		try (HikariDataSource manual = pool((config) -> {
			config.setAutoCommit(false);
			config.setMaximumPoolSize(1);
		})) {
			JdbcOperationStore manualStore = JdbcOperationStore.create(manual, this.namespace, null);
			Claim.Granted grant = granted(manualStore.claim(request(CALL, null, "a")));
			assertThat(this.store.find("task:call")).contains(grant.operation());
			manualStore.complete(grant, "paid");
			assertThat(this.store.claim(request(CALL, null, "b"))).isInstanceOf(Claim.Completed.class);
			try (var connection = manual.getConnection()) {
				assertThat(connection.getAutoCommit()).isFalse();
			}
		}
	}

	@Test
	void aPoolWithAnotherIsolationLevelClaimsUnderContentionAllTheSame() throws Exception {
		try (HikariDataSource strict = pool((config) -> {
			config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
			config.setMaximumPoolSize(8);
		})) {
			assertThat(StoreConnections.to(strict, Database.inspect(strict))
				.<Integer>execute(java.sql.Connection::getTransactionIsolation))
				.isEqualTo(java.sql.Connection.TRANSACTION_READ_COMMITTED);
			JdbcOperationStore strictStore = JdbcOperationStore.create(strict, this.namespace, null);
			for (int round = 0; round < 20; round++) {
				CallIdentity call = call("task" + round, "call", "charge", "1");
				List<Claim> claims = together(8, (i) -> strictStore.claim(request(call, null, "owner " + i)));
				assertThat(claims).filteredOn(Claim.Granted.class::isInstance).hasSize(1);
			}
			try (var connection = strict.getConnection()) {
				assertThat(connection.getTransactionIsolation())
					.isEqualTo(java.sql.Connection.TRANSACTION_SERIALIZABLE);
				assertThat(connection.getAutoCommit()).isTrue();
			}
		}
	}

	@Test
	void theRecordStaysWhenTheCallersTransactionRollsBack() {
		TransactionTemplate outer = new TransactionTemplate(new DataSourceTransactionManager(this.pool));
		JdbcOperationStore behindProxy = JdbcOperationStore
			.create(new DelegatingDataSource(new TransactionAwareDataSourceProxy(this.pool)), this.namespace, null);
		CallIdentity second = call("task2", "call", "charge", "1");

		outer.executeWithoutResult((status) -> {
			this.jdbc.update("INSERT INTO idem_discrepancy (id, namespace, request_id, kind, state, created_at) "
					+ "VALUES ('the callers own', ?, '', '', '', CURRENT_TIMESTAMP)", this.namespace);
			this.store.complete(granted(this.store.claim(request(CALL, null, "a"))), "paid");
			behindProxy.complete(granted(behindProxy.claim(request(second, null, "b"))), "paid");
			status.setRollbackOnly();
		});

		assertThat(discrepancies()).as("what the caller wrote itself").isZero();
		assertThat(this.store.claim(request(CALL, null, "c"))).isInstanceOf(Claim.Completed.class);
		assertThat(this.store.claim(request(second, null, "c"))).isInstanceOf(Claim.Completed.class);
	}

	@Test
	void aLostRaceDoesNotHarmTheCallersTransaction() throws Exception {
		TransactionTemplate outer = new TransactionTemplate(new DataSourceTransactionManager(this.pool));
		for (int round = 0; round < 20; round++) {
			CallIdentity call = call("task" + round, "call", "charge", "1");
			List<Integer> answers = together(4, (i) -> outer.execute((status) -> {
				this.store.claim(request(call, null, "owner " + i));
				return this.jdbc.queryForObject("SELECT 1", Integer.class);
			}));
			assertThat(answers).containsOnly(1);
		}
	}

	@Test
	void anInterruptedThreadStillWritesAndStaysInterrupted() {
		Claim.Granted grant;
		Thread.currentThread().interrupt();
		try {
			grant = granted(this.store.claim(request(CALL, null, "a")));
			assertThat(Thread.currentThread().isInterrupted()).isTrue();
			assertThat(this.store.complete(grant, "paid")).isInstanceOf(Settlement.Recorded.class);
			assertThat(this.store.find("task:call")).isPresent();
		}
		finally {
			assertThat(Thread.interrupted()).isTrue();
		}
		assertThat(this.store.claim(request(CALL, null, "b"))).isInstanceOf(Claim.Completed.class);
	}

	@Test
	void aThreadThatIsInterruptedAllTheTimeStillGetsItsAnswers() throws Exception {
		CountDownLatch done = new CountDownLatch(1);
		ExecutorService worker = Executors.newSingleThreadExecutor();
		try {
			Thread[] thread = new Thread[1];
			CountDownLatch started = new CountDownLatch(1);
			Future<?> work = worker.submit(() -> {
				thread[0] = Thread.currentThread();
				started.countDown();
				for (int round = 0; round < 50; round++) {
					CallIdentity call = call("task" + round, "call", "charge", "1");
					this.store.complete(granted(this.store.claim(request(call, null, "a"))), "paid");
				}
				done.countDown();
			});
			started.await();
			for (int i = 0; i < 20 && done.getCount() > 0; i++) {
				thread[0].interrupt();
				done.await(5, TimeUnit.MILLISECONDS);
			}
			work.get(60, TimeUnit.SECONDS);
		}
		finally {
			worker.shutdownNow();
		}
		assertThat(this.store.find("task49:call").orElseThrow().status()).isEqualTo(OperationStatus.SUCCEEDED);
	}

	@Test
	void anExhaustedPoolIsAClearErrorAndNotAHang() throws Exception {
		try (HikariDataSource small = pool((config) -> {
			config.setMaximumPoolSize(1);
			config.setConnectionTimeout(250);
		})) {
			JdbcOperationStore smallStore = JdbcOperationStore.create(small, this.namespace, null);
			try (var taken = small.getConnection()) {
				assertThat(taken.isValid(1)).isTrue();
				assertThatExceptionOfType(IdempotencyStoreException.class)
					.isThrownBy(() -> smallStore.claim(request(CALL, null, "a")))
					.withMessageContaining("could not claim operation 'task:call' of tool 'charge'")
					.withMessageContaining("pool");
			}
			granted(smallStore.claim(request(CALL, null, "a")));
		}
	}

	@Test
	void aDatabaseThatIsDownIsAClearErrorAndNothingIsWritten() {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(urlOfDeadDatabase());
		config.setConnectionTimeout(250);
		config.setInitializationFailTimeout(-1);
		try (HikariDataSource dead = new HikariDataSource(config)) {
			assertThatExceptionOfType(IdempotencyStoreException.class)
				.isThrownBy(() -> JdbcOperationStore.create(dead, this.namespace, null))
				.withMessageContaining("data source gave no connection");
		}
		Claim.Granted grant = granted(this.store.claim(request(CALL, null, "a")));
		HikariDataSource closed = pool((settings) -> settings.setMaximumPoolSize(1));
		JdbcOperationStore store = JdbcOperationStore.create(closed, this.namespace, null);
		closed.close();
		assertThatExceptionOfType(IdempotencyStoreException.class).isThrownBy(() -> store.complete(grant, "secret"))
			.withMessageContaining("could not settle operation 'task:call'")
			.withMessageNotContaining("secret");
		assertThat(this.store.find("task:call")).contains(grant.operation());
	}

	@Test
	void missingTablesAreAClearErrorWithoutTheArguments() {
		JdbcOperationStore lost = JdbcOperationStore.create(this.pool, this.namespace, "nowhere");

		assertThatExceptionOfType(IdempotencyStoreException.class)
			.isThrownBy(() -> lost.claim(request(CALL, "k", "a", "secret")))
			.withMessageContaining("could not claim operation 'task:call' of tool 'charge'")
			.withMessageContaining("idem.schema.mode=migrate")
			.withMessageNotContaining("secret");
	}

	@Test
	void aNamespaceThatIsTooLongIsRefused() {
		assertThatExceptionOfType(IdempotencyStoreException.class)
			.isThrownBy(() -> JdbcOperationStore.create(this.pool, "n".repeat(101), null))
			.withMessageContaining("1 to 100 characters")
			.withMessageContaining("idem.namespace");
		assertThatExceptionOfType(IdempotencyStoreException.class)
			.isThrownBy(() -> JdbcOperationStore.create(this.pool, " ", null));
	}

	@Test
	void anOperationThatWasDeletedCanBeClaimedAnewAndItsTrailIsKept() {
		Operation deleted = granted(this.store.claim(request(CALL, "order-1", "a"))).operation();
		this.jdbc.update("DELETE FROM idem_operation WHERE namespace = ?", this.namespace);

		Claim.Granted grant = granted(this.store.claim(request(CALL, "order-1", "b")));

		assertThat(grant.operation().attempt()).isEqualTo(1);
		assertThat(this.store.history(deleted.requestId())).extracting(Transition::actor).containsExactly("a", "b");
		assertThatExceptionOfType(IdempotencyStoreException.class).isThrownBy(() -> {
			this.jdbc.update("DELETE FROM idem_operation WHERE namespace = ?", this.namespace);
			this.store.complete(grant, "paid");
		}).withMessageContaining("no longer in the record");
	}

	@Test
	void whatIsNotThereIsNotFound() {
		assertThat(this.store.find("task:call")).isEmpty();
		assertThat(this.store.find("task", "charge", CALL.dedupKey())).isEmpty();
		assertThat(this.store.findByToolCall("task", "call")).isEmpty();
		assertThat(this.store.history("task:call")).isEmpty();
		assertThat(this.store.expireLeases(10)).isEmpty();
		assertThat(this.store.isVolatile()).isFalse();
	}

	// Helpers

	final HikariDataSource pool(Consumer<HikariConfig> settings) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url());
		config.setMinimumIdle(0);
		settings.accept(config);
		return new HikariDataSource(config);
	}

	private JdbcOperationStore inTimeZone(String zone) {
		return JdbcOperationStore.create(new InitializingDataSource(this.pool, "SET TIME ZONE '" + zone + "'"),
				this.namespace, null);
	}

	private static CallIdentity call(String taskId, String toolCallId, String tool, String fingerprint) {
		return new CallIdentity(taskId, toolCallId, tool, fingerprint, fingerprint);
	}

	private static ClaimRequest request(CallIdentity call, String businessKey, String owner) {
		return request(call, businessKey, owner, "{}");
	}

	private static ClaimRequest request(CallIdentity call, String businessKey, String owner, String arguments) {
		return new ClaimRequest(call, businessKey, null, Downstream.OPAQUE, arguments, owner, LEASE);
	}

	private static ClaimRequest request(Operation operation, String owner) {
		return request(call(operation.taskId(), operation.toolCallId(), operation.tool(), "1"), null, owner);
	}

	private static Claim.Granted granted(Claim claim) {
		assertThat(claim).isInstanceOf(Claim.Granted.class);
		return (Claim.Granted) claim;
	}

	private void expire(Operation operation) {
		set(operation, "lease_until = CURRENT_TIMESTAMP - INTERVAL '1' SECOND");
	}

	private void set(Operation operation, String change) {
		assertThat(this.jdbc.update("UPDATE idem_operation SET " + change + " WHERE namespace = ? AND request_id = ?",
				operation.namespace(), operation.requestId()))
			.isEqualTo(1);
	}

	private String column(Operation operation, String column) {
		return this.jdbc.queryForObject(
				"SELECT " + column + " FROM idem_operation WHERE namespace = ? AND request_id = ?", String.class,
				operation.namespace(), operation.requestId());
	}

	private int secondsLeft(Operation operation) {
		return this.jdbc.queryForObject(
				"SELECT EXTRACT(EPOCH FROM (lease_until - CURRENT_TIMESTAMP)) FROM idem_operation WHERE namespace = ? AND request_id = ?",
				Integer.class, operation.namespace(), operation.requestId());
	}

	private int discrepancies() {
		return this.jdbc.queryForObject("SELECT COUNT(*) FROM idem_discrepancy WHERE namespace = ?", Integer.class,
				this.namespace);
	}

	private boolean noneLeft() {
		return Boolean.TRUE.equals(this.jdbc.queryForObject(
				"SELECT COUNT(*) = 0 FROM idem_operation WHERE namespace = ? AND status = 'IN_PROGRESS'", Boolean.class,
				this.namespace));
	}

	private void assertTrail(Operation operation, String... changes) {
		List<Transition> history = this.store.history(operation.requestId());
		assertThat(history.stream().map((step) -> step.to() + " " + step.trigger() + " " + step.actor()))
			.containsExactly(changes);
		assertThat(history).extracting(Transition::version)
			.containsExactlyElementsOf(IntStream.rangeClosed(1, changes.length).mapToObj(Long::valueOf).toList());
		for (int i = 0; i < history.size(); i++) {
			assertThat(history.get(i).from()).isEqualTo((i == 0) ? null : history.get(i - 1).to());
		}
		Operation current = this.store.find(operation.requestId()).orElseThrow();
		assertThat(current.version()).isEqualTo(changes.length);
		assertThat(current.updatedAt()).isEqualTo(history.get(changes.length - 1).createdAt());
	}

	private static String randomText(int length, long seed) {
		return new Random(seed).ints(length, 0, 62)
			.mapToObj((i) -> "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".substring(i, i + 1))
			.collect(Collectors.joining());
	}

	private static <T> List<T> together(int callers, IntFunction<T> task) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(callers);
		try {
			CountDownLatch start = new CountDownLatch(1);
			List<Future<T>> futures = new ArrayList<>();
			for (int i = 0; i < callers; i++) {
				int caller = i;
				futures.add(threads.submit(() -> {
					start.await();
					return task.apply(caller);
				}));
			}
			start.countDown();
			List<T> results = new ArrayList<>();
			for (Future<T> future : futures) {
				results.add(future.get(60, TimeUnit.SECONDS));
			}
			return results;
		}
		finally {
			threads.shutdownNow();
		}
	}

	/** Hands out each connection with a statement run on it first. */
	private static final class InitializingDataSource extends DelegatingDataSource {

		private final String statement;

		InitializingDataSource(HikariDataSource target, String statement) {
			super(target);
			this.statement = statement;
		}

		@Override
		public java.sql.Connection getConnection() throws java.sql.SQLException {
			java.sql.Connection connection = super.getConnection();
			try (java.sql.Statement initializing = connection.createStatement()) {
				initializing.execute(this.statement);
			}
			return connection;
		}

	}

}
