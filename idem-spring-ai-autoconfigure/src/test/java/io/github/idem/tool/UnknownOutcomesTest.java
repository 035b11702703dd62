package io.github.idem.tool;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.github.idem.Decision;
import io.github.idem.IdempotentCall;
import io.github.idem.IdempotentTools;
import io.github.idem.Operation;
import io.github.idem.OperationResolver;
import io.github.idem.OperationStatus;
import io.github.idem.ResolutionRefusedException;
import io.github.idem.operation.Check;
import io.github.idem.operation.Transition;
import io.github.idem.tool.TestGateway.Behaviour;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.web.client.RestClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static io.github.idem.tool.ScriptedChatModel.call;
import static io.github.idem.tool.ScriptedChatModel.calls;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What becomes of a call whose outcome is not known, against a gateway over HTTP that
 * loses answers, applies late, declines and forgets.
 */
abstract class UnknownOutcomesTest extends ToolCallTest {

	private static final String ORDER = "{\"order\":\"o1\"}";

	private TestGateway gateway;

	private Cashier cashier;

	private Cashier.LedgerProbe probe;

	private OperationResolver resolver;

	@Override
	Class<?>[] sources() {
		return new Class<?>[] { Application.class, Cashier.Beans.class };
	}

	@Override
	void start(Map<String, Object> properties) {
		Map<String, Object> all = new HashMap<>(properties);
		all.putIfAbsent("idem.retry.initial-delay", "50ms");
		all.putIfAbsent("idem.probe.delay", "50ms");
		all.putIfAbsent("idem.probe.settle", "3s");
		all.putIfAbsent("idem.recovery.interval", "200ms");
		all.putIfAbsent("idem.lint", "off");
		super.start(all);
	}

	@BeforeEach
	void forgetCharges() {
		this.gateway = this.context.getBean(TestGateway.class);
		this.cashier = this.context.getBean(Cashier.class);
		this.probe = this.context.getBean(Cashier.LedgerProbe.class);
		this.resolver = this.context.getBean(OperationResolver.class);
		this.gateway.forget();
		this.cashier.forget();
		this.probe.asked().clear();
	}

	// Lost answers

	@ParameterizedTest
	@EnumSource
	void aLostAnswerIsFoundByTheProbe(Mode mode) {
		this.gateway.plan.add(Behaviour.APPLY_AND_LOSE);
		charge(mode, "queryable", "t1");
		assertThat(answer()).isEqualTo("charged t1:call_1");
		assertThat(operation().status()).isEqualTo(OperationStatus.SUCCEEDED);
		assertThat(this.gateway.applied).containsExactly("t1:call_1");
		assertTrail("IN_PROGRESS CLAIMED", "IN_DOUBT THREW", "SUCCEEDED PROBED");
		assertThat(this.store.checks("t1:call_1")).extracting(Check::kind).containsExactly(Check.Kind.PROBE);
		charge(mode, "queryable", "t1");
		assertThat(answer()).isEqualTo("charged t1:call_1");
		assertThat(this.gateway.received).hasSize(1);
	}

	@ParameterizedTest
	@EnumSource(value = Behaviour.class, names = { "APPLY_AND_LOSE", "APPLY_AND_FAIL", "LOSE", "CONFLICT" })
	void withoutAProbeWhatMayHaveHappenedWaitsForAPerson(Behaviour behaviour) {
		this.gateway.plan.add(behaviour);
		charge(Mode.CALL, "opaque", "t1");
		assertThat(answer()).contains("IN_DOUBT").contains("t1:call_1");
		charge(Mode.CALL, "opaque", "t1");
		assertThat(answer()).contains("IN_DOUBT");
		assertThat(this.gateway.received).hasSize(1);
		assertThat(this.resolver.waiting(10)).extracting(Operation::requestId).containsExactly("t1:call_1");
	}

	@Test
	void aChargeThatIsAppliedLongAfterTheTimeoutIsNeverSentAgain() {
		this.gateway.plan.add(Behaviour.APPLY_LATE);
		charge(Mode.CALL, "queryable", "t1");
		assertThat(answer()).contains("IN_DOUBT");
		assertThat(this.store.checks("t1:call_1")).hasSize(3)
			.allSatisfy((check) -> assertThat(check.outcome()).contains("NotFound"));
		charge(Mode.CALL, "queryable", "t1");
		await().atMost(Duration.ofSeconds(20)).until(() -> operation().status() == OperationStatus.SUCCEEDED);
		assertThat(this.gateway.received).hasSize(1);
		assertThat(this.gateway.applied).hasSize(1);
		charge(Mode.CALL, "queryable", "t1");
		assertThat(answer()).isEqualTo("charged t1:call_1");
	}

	@Test
	void notFoundIsNeverTakenForNotApplied() {
		this.gateway.plan.add(Behaviour.LOSE);
		charge(Mode.CALL, "queryable", "t1");
		due("t1:call_1");
		await().atMost(Duration.ofSeconds(20)).until(() -> !this.resolver.waiting(1).isEmpty());
		assertThat(operation().status()).isEqualTo(OperationStatus.IN_DOUBT);
		charge(Mode.CALL, "queryable", "t1");
		assertThat(answer()).contains("IN_DOUBT");
		assertThat(this.gateway.received).hasSize(1);
	}

	@Test
	void whatDownstreamSaysNeverWillBeAppliedHasFailedAndMayBeCalledAgain() {
		this.gateway.plan.add(Behaviour.TOMBSTONE_AND_LOSE);
		charge(Mode.CALL, "queryable", "t1");
		assertThat(answer()).contains("cancelled at the gateway");
		assertThat(operation()).extracting(Operation::status, Operation::mayHaveApplied)
			.containsExactly(OperationStatus.FAILED, false);
		charge(Mode.CALL, "queryable", "t1");
		assertThat(operation()).extracting(Operation::status, Operation::attempt)
			.containsExactly(OperationStatus.SUCCEEDED, 2);
		assertThat(this.gateway.applied).containsExactly("t1:call_1");
	}

	// Sending again

	@Test
	void whereDownstreamDeduplicatesALostAnswerIsAskedForAgainUnderTheSameRequestId() {
		this.gateway.deduplicates = true;
		this.gateway.plan.addAll(List.of(Behaviour.APPLY_AND_LOSE, Behaviour.LOSE));
		charge(Mode.CALL, "deduplicated", "t1");
		assertThat(answer()).contains("charged t1:call_1");
		assertThat(this.gateway.received).containsExactly("t1:call_1", "t1:call_1", "t1:call_1");
		assertThat(this.gateway.applied).hasSize(1);
		assertThat(this.cashier.entered).containsExactly("t1:call_1#1", "t1:call_1#2", "t1:call_1#3");
		assertThat(this.store.checks("t1:call_1")).extracting(Check::kind)
			.containsExactly(Check.Kind.RESEND, Check.Kind.RESEND);
	}

	@Test
	void sendingAgainIsBoundedAndThenWaitsForAPerson() {
		this.gateway.deduplicates = true;
		this.gateway.plan.addAll(List.of(Behaviour.LOSE, Behaviour.LOSE, Behaviour.LOSE, Behaviour.LOSE));
		charge(Mode.CALL, "deduplicated", "t1");
		assertThat(answer()).contains("IN_DOUBT");
		await().atMost(Duration.ofSeconds(40)).until(() -> this.gateway.received.size() == 3);
		assertThat(operation().mayHaveApplied()).isTrue();
		due("t1:call_1");
		await().atMost(Duration.ofSeconds(20)).until(() -> !this.resolver.waiting(1).isEmpty());
		assertThat(this.gateway.received).hasSize(3);
	}

	@Test
	void onceAnAttemptMayHaveAppliedALaterRefusalDoesNotMakeItFailed() {
		this.gateway.plan.addAll(List.of(Behaviour.APPLY_AND_LOSE, Behaviour.DECLINE, Behaviour.DECLINE));
		charge(Mode.CALL, "deduplicated", "t1");
		assertThat(answer()).contains("IN_DOUBT");
		assertThat(operation()).extracting(Operation::status, Operation::mayHaveApplied)
			.containsExactly(OperationStatus.IN_DOUBT, true);
	}

	@Test
	void afterTheWindowADeduplicatingDownstreamIsNotSentToAgain() {
		charge(Mode.CALL, "opaque", "warmup");
		this.gateway.forget();
		this.gateway.deduplicates = true;
		this.gateway.plan.add(Behaviour.LOSE);
		CompletableFuture<Void> aged = CompletableFuture.runAsync(() -> {
			await().until(() -> !this.gateway.received.isEmpty());
			this.jdbc.sql("UPDATE idem_operation SET created_at = created_at - INTERVAL '3' DAY WHERE task_id = 't1'")
				.update();
		}, (task) -> new Thread(task).start());
		charge(Mode.CALL, "deduplicated", "t1");
		aged.join();
		assertThat(answer()).contains("IN_DOUBT");
		due("t1:call_1");
		await().atMost(Duration.ofSeconds(20)).until(() -> !this.resolver.waiting(1).isEmpty());
		assertThat(this.gateway.received).hasSize(1);
	}

	@Test
	void aToolIsEnteredAgainInTheBackgroundIfNoCallerEverComesBack() {
		this.gateway.deduplicates = true;
		diedInside("deduplicated");
		await().atMost(Duration.ofSeconds(20)).until(() -> operation().status() == OperationStatus.SUCCEEDED);
		assertThat(this.gateway.received).containsExactly("t1:call_1");
		assertThat(this.cashier.entered).containsExactly("t1:call_1#2");
		assertTrail("IN_PROGRESS CLAIMED", "IN_DOUBT LEASE_EXPIRED", "IN_PROGRESS SENT_AGAIN", "SUCCEEDED RETURNED");
	}

	@Test
	void aToolThatSentSeveralRequestsIsNotEnteredAgainInTheBackground() {
		this.gateway.deduplicates = true;
		diedInside("deduplicated");
		this.jdbc.sql("UPDATE idem_operation SET several_requests = TRUE").update();
		await().atMost(Duration.ofSeconds(20)).until(() -> !this.resolver.waiting(1).isEmpty());
		assertThat(this.gateway.received).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "opaque", "queryable" })
	void anExpiredLeaseIsNeverAPermitToRunAgain(String tool) {
		diedInside(tool);
		await().atMost(Duration.ofSeconds(20)).until(() -> !this.resolver.waiting(1).isEmpty());
		charge(Mode.CALL, tool, "t1");
		assertThat(answer()).contains("IN_DOUBT");
		assertThat(this.gateway.received).isEmpty();
	}

	// Definite failures

	@ParameterizedTest
	@EnumSource
	void aRefusalIsADefiniteFailureAndTheNextCallIsMade(Mode mode) {
		this.gateway.plan.add(Behaviour.DECLINE);
		charge(mode, "opaque", "t1");
		assertThat(answer()).contains("422");
		assertThat(operation().status()).isEqualTo(OperationStatus.FAILED);
		charge(mode, "opaque", "t1");
		assertThat(operation()).extracting(Operation::status, Operation::attempt)
			.containsExactly(OperationStatus.SUCCEEDED, 2);
		assertThat(this.gateway.applied).hasSize(1);
	}

	@Test
	void aRefusalThatPassesIsTriedAgainAfterTheTimeDownstreamAsksFor() {
		this.gateway.plan.add(Behaviour.TOO_MANY);
		charge(Mode.CALL, "opaque", "t1");
		assertThat(answer()).contains("charged");
		assertThat(this.gateway.received).hasSize(2);
		assertThat(this.gateway.applied).hasSize(1);
		assertThat(this.store.checks("t1:call_1")).singleElement()
			.satisfies((check) -> assertThat(check.kind()).isEqualTo(Check.Kind.RETRY))
			.satisfies((check) -> assertThat(check.waited()).isGreaterThanOrEqualTo(Duration.ofSeconds(1)));
		assertTrail("IN_PROGRESS CLAIMED", "FAILED THREW", "IN_PROGRESS CLAIMED", "SUCCEEDED RETURNED");
	}

	@Test
	void whatMayHaveBeenAppliedIsSentAgainAfterTheTimeDownstreamAsksFor() {
		this.gateway.deduplicates = true;
		this.gateway.plan.add(Behaviour.APPLY_AND_BE_UNAVAILABLE);
		charge(Mode.CALL, "deduplicated", "t1");
		assertThat(answer()).contains("charged");
		assertThat(this.gateway.received).containsExactly("t1:call_1", "t1:call_1");
		assertThat(this.gateway.applied).hasSize(1);
		assertThat(this.store.checks("t1:call_1")).singleElement()
			.satisfies((check) -> assertThat(check.kind()).isEqualTo(Check.Kind.RESEND))
			.satisfies((check) -> assertThat(check.waited()).isGreaterThanOrEqualTo(Duration.ofSeconds(1)));
	}

	@Test
	void nobodyIsKeptWaitingForLongButDownstreamIsLeftAloneForAsLongAsItAsksFor() {
		this.gateway.deduplicates = true;
		this.gateway.retryAfter = "600";
		this.gateway.plan.add(Behaviour.APPLY_AND_BE_UNAVAILABLE);
		charge(Mode.CALL, "deduplicated", "t1");
		assertThat(answer()).contains("IN_DOUBT");
		assertThat(this.store.checks("t1:call_1")).extracting(Check::kind).containsExactly(Check.Kind.PUT_OFF);
		assertThat(this.jdbc.sql("""
				SELECT COUNT(*) FROM idem_operation
				WHERE request_id = 't1:call_1' AND next_check_at > CURRENT_TIMESTAMP + INTERVAL '9' MINUTE
				""").query(Long.class).single()).isOne();
		due("t1:call_1");
		await().atMost(Duration.ofSeconds(20)).until(() -> operation().status() == OperationStatus.SUCCEEDED);
		assertThat(this.gateway.applied).hasSize(1);
	}

	@Test
	void aConnectionThatIsRefusedIsTriedThreeTimesAndThenHasFailed() {
		this.cashier.script = () -> String.valueOf(
				this.cashier.client.post().uri("http://localhost:1/charges").body("{}").retrieve().body(String.class));
		charge(Mode.CALL, "scripted", "t1");
		assertThat(operation().error()).contains("nothing was sent");
		assertThat(this.cashier.entered).hasSize(3);
		assertThat(operation()).extracting(Operation::status, Operation::attempt)
			.containsExactly(OperationStatus.FAILED, 3);
	}

	@Test
	void aToolThatChargesAndThenFailsToFetchTheReceiptIsInDoubt() {
		this.cashier.script = () -> this.cashier.send() + this.cashier.receipt();
		charge(Mode.CALL, "scripted", "t1");
		assertThat(answer()).contains("IN_DOUBT");
		assertThat(this.gateway.applied).hasSize(1);
	}

	@Test
	void aToolThatRetriesInsideAndIsThenRefusedIsInDoubt() {
		this.gateway.plan.addAll(List.of(Behaviour.APPLY_AND_LOSE, Behaviour.DECLINE));
		this.cashier.script = () -> {
			try {
				return this.cashier.send();
			}
			catch (RuntimeException ex) {
				return this.cashier.send();
			}
		};
		charge(Mode.CALL, "scripted", "t1");
		assertThat(answer()).contains("IN_DOUBT");
		assertThat(operation().mayHaveApplied()).isTrue();
		assertThat(this.jdbc.sql("SELECT several_requests FROM idem_operation").query(Boolean.class).single()).isTrue();
	}

	@Test
	void aRefusalThatWasCaughtDoesNotSpeakForWhatFailedLater() {
		this.gateway.plan.add(Behaviour.DECLINE);
		this.cashier.script = () -> {
			try {
				return this.cashier.send();
			}
			catch (RuntimeException ex) {
				throw new IllegalStateException("something else");
			}
		};
		charge(Mode.CALL, "scripted", "t1");
		assertThat(answer()).contains("IN_DOUBT");
	}

	@Test
	void anExceptionOfUnknownMeaningIsInDoubt() {
		this.cashier.script = () -> {
			throw new IllegalStateException("no idea");
		};
		charge(Mode.CALL, "scripted", "t1");
		assertThat(answer()).contains("IN_DOUBT");
		assertThat(this.cashier.entered).hasSize(1);
	}

	@Test
	void whereTheEffectIsMadeByHttpOnlyNothingHappenedUntilSomethingUnsafeWasSent() {
		this.cashier.script = this.cashier::receipt;
		charge(Mode.CALL, "overHttp", "t1");
		assertThat(operation().status()).isEqualTo(OperationStatus.FAILED);
		this.cashier.script = () -> {
			this.cashier.send();
			throw new IllegalStateException("too late");
		};
		charge(Mode.CALL, "overHttp", "t1");
		assertThat(answer()).contains("IN_DOUBT");
	}

	@Test
	void aRequestThatAnotherThreadSendsIsNotOverlooked() {
		this.cashier.script = () -> {
			CompletableFuture
				.runAsync(() -> this.cashier.client.post()
					.uri("/charges")
					.header("Idempotency-Key", "other thread")
					.body("{}")
					.retrieve()
					.toBodilessEntity(), (task) -> new Thread(task).start())
				.join();
			throw new IllegalStateException("after another thread charged");
		};
		charge(Mode.CALL, "overHttp", "t1");
		assertThat(answer()).contains("IN_DOUBT");
		assertThat(this.gateway.applied).containsExactly("other thread");
	}

	@Test
	void aRequestThatAnotherThreadHasNotBegunYetIsNotForgotten() {
		ExecutorService busy = Executors.newSingleThreadExecutor();
		CountDownLatch free = new CountDownLatch(1);
		busy.execute(() -> await().until(() -> free.getCount() == 0));
		this.cashier.script = () -> {
			Future<String> later = busy.submit(() -> String.valueOf(this.cashier.client.post()
				.uri("/charges")
				.header("Idempotency-Key", "later")
				.body("{}")
				.retrieve()
				.body(String.class)));
			try {
				return later.get(50, TimeUnit.MILLISECONDS);
			}
			catch (InterruptedException | ExecutionException | TimeoutException ex) {
				throw new IllegalStateException("nothing yet", ex);
			}
		};
		charge(Mode.CALL, "overHttp", "t1");
		assertThat(answer()).contains("IN_DOUBT");
		free.countDown();
		busy.shutdown();
		await().until(() -> this.gateway.applied.equals(List.of("later")));
	}

	@Test
	void whatAnotherProtectedToolDoesInsideOneIsSomethingThatItDoes() {
		ToolCallback inner = protectedTool("opaque");
		this.cashier.script = () -> {
			inner.call(ORDER, new ToolContext(Map.of("task_id", "inner")));
			throw new IllegalStateException("after the other one charged");
		};
		charge(Mode.CALL, "overHttp", "t1");
		assertThat(answer()).contains("IN_DOUBT");
		assertThat(this.gateway.applied).singleElement()
			.satisfies(
					(id) -> assertThat(this.store.find(id)).map(Operation::status).contains(OperationStatus.SUCCEEDED));
	}

	@Test
	void whatAnotherProtectedToolDidNotDoIsNothing() {
		ToolCallback inner = protectedTool("opaque");
		this.gateway.plan.add(Behaviour.DECLINE);
		this.cashier.script = () -> inner.call(ORDER, new ToolContext(Map.of("task_id", "inner")));
		charge(Mode.CALL, "overHttp", "t1");
		assertThat(operation().status()).isEqualTo(OperationStatus.FAILED);
		this.gateway.plan.add(Behaviour.DECLINE);
		charge(Mode.CALL, "scripted", "t2");
		assertThat(answer()).as("it may have done something else before").contains("IN_DOUBT");
		assertThat(this.gateway.applied).isEmpty();
	}

	private ToolCallback protectedTool(String name) {
		return Arrays.stream(IdempotentTools.wrap(ToolCallbacks.from(this.cashier)))
			.filter((tool) -> tool.getToolDefinition().name().equals(name))
			.findFirst()
			.orElseThrow();
	}

	@Test
	void aResultThatIsNotBelievedIsKeptForThePerson() {
		this.cashier.script = () -> "Error-free: charged, receipt 4711";
		charge(Mode.CALL, "scripted", "t1");
		assertThat(answer()).contains("IN_DOUBT").doesNotContain("4711");
		assertThat(operation().error()).contains("looks like an error").contains("receipt 4711");
	}

	@Test
	void whereTheEffectIsMarkedNothingHappenedBeforeTheMark() {
		this.cashier.script = () -> {
			throw new IllegalStateException("before");
		};
		charge(Mode.CALL, "marked", "t1");
		assertThat(operation().status()).isEqualTo(OperationStatus.FAILED);
		this.cashier.script = () -> {
			IdempotentCall.current().orElseThrow().beforeEffect();
			throw new IllegalStateException("after");
		};
		charge(Mode.CALL, "marked", "t1");
		assertThat(answer()).contains("IN_DOUBT");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "Error: timed out", "error while charging", "java.net.SocketTimeoutException: Read timed out",
					"{\"error\":\"timed out\"}", "Failed: gateway", "Error 503", "{\"success\": false}" })
	void aFailureThatIsReturnedAsTextIsNotASuccessForEver(String text) {
		this.cashier.script = () -> text;
		charge(Mode.CALL, "scripted", "t1");
		assertThat(operation().status()).isEqualTo(OperationStatus.IN_DOUBT);
	}

	@ParameterizedTest
	@ValueSource(strings = { "charged", "no error", "{\"id\":1,\"error\":null}", "{\"error\":null,\"id\":1}",
			"Errorless run finished", "{\"success\":true}", "Order 7 placed: failed payments 0" })
	void whatOnlySoundsLikeAnErrorIsASuccess(String text) {
		this.cashier.script = () -> text;
		charge(Mode.CALL, "scripted", "t1");
		assertThat(operation().status()).isEqualTo(OperationStatus.SUCCEEDED);
	}

	@Test
	void aRetryInsideAnInterceptorIsSeveralRequests() {
		RestClient retrying = this.cashier.client.mutate().requestInterceptor((request, body, execution) -> {
			try {
				return execution.execute(request, body);
			}
			catch (IOException ex) {
				return execution.execute(request, body);
			}
		}).build();
		this.gateway.plan.addAll(List.of(Behaviour.APPLY_AND_LOSE, Behaviour.DECLINE));
		this.cashier.script = () -> String.valueOf(retrying.post()
			.uri("/charges")
			.header("Idempotency-Key", "retried")
			.body("{}")
			.retrieve()
			.body(String.class));
		charge(Mode.CALL, "scripted", "t1");
		assertThat(this.gateway.received).hasSize(2);
		assertThat(answer()).contains("IN_DOUBT");
	}

	// Leases and late owners

	@Test
	void anAttemptWhoseLeaseIsOverSendsNothingAndItsLateResultIsRecorded() {
		this.cashier.script = () -> {
			this.jdbc.sql("UPDATE idem_operation SET lease_until = CURRENT_TIMESTAMP - INTERVAL '1' SECOND").update();
			await().until(() -> operation().status() == OperationStatus.IN_DOUBT);
			return "done after all";
		};
		charge(Mode.CALL, "scripted", "t1");
		assertThat(answer()).contains("done after all");
		assertThat(operation().status()).isEqualTo(OperationStatus.SUCCEEDED);
		assertTrail("IN_PROGRESS CLAIMED", "IN_DOUBT LEASE_EXPIRED", "SUCCEEDED RETURNED");
	}

	@Test
	void aLateSuccessContradictsAFailureAndBlocksFurtherCalls() {
		this.cashier.script = () -> {
			this.jdbc.sql("UPDATE idem_operation SET lease_until = CURRENT_TIMESTAMP - INTERVAL '1' SECOND").update();
			await().until(() -> operation().status() == OperationStatus.IN_DOUBT);
			this.resolver.resolve("t1:call_1", operation().version(), new Decision.NotApplied(), "alice", "looked");
			return "applied, though";
		};
		charge(Mode.CALL, "scripted", "t1");
		assertThat(operation()).extracting(Operation::status, Operation::mayHaveApplied)
			.containsExactly(OperationStatus.FAILED, true);
		assertThat(this.jdbc.sql("SELECT kind FROM idem_discrepancy ORDER BY kind").query(String.class).list())
			.containsExactly("EFFECT_WITHOUT_SUCCESS", "LATE_RESULT");
		charge(Mode.CALL, "scripted", "t1");
		assertThat(answer()).contains("IN_DOUBT");
		assertThat(this.cashier.entered).hasSize(1);
		assertThat(this.resolver.waiting(10)).hasSize(1);
		this.resolver.resolve("t1:call_1", operation().version(), new Decision.Applied("settled"), "bob", null);
		charge(Mode.CALL, "scripted", "t1");
		assertThat(answer()).isEqualTo("settled");
	}

	// A person

	@Test
	void aPersonSettlesWhatNothingElseCan() {
		this.gateway.plan.add(Behaviour.APPLY_AND_LOSE);
		charge(Mode.CALL, "opaque", "t1");
		long seen = operation().version();
		Operation resolved = this.resolver.resolve("t1:call_1", seen, new Decision.Applied("charged, see ledger"),
				"alice", "found in the ledger");
		assertThat(resolved.status()).isEqualTo(OperationStatus.SUCCEEDED);
		assertThat(this.resolver.resolve("t1:call_1", seen, new Decision.Applied("charged, see ledger"), "alice", null))
			.isEqualTo(resolved);
		assertThatExceptionOfType(ResolutionRefusedException.class)
			.isThrownBy(() -> this.resolver.resolve("t1:call_1", seen, new Decision.NotApplied(), "bob", null))
			.withMessageContaining("moved on");
		charge(Mode.CALL, "opaque", "t1");
		assertThat(answer()).isEqualTo("charged, see ledger");
		assertThat(this.store.history("t1:call_1")).last().satisfies((change) -> {
			assertThat(change.trigger()).isEqualTo(Transition.Trigger.RESOLVED);
			assertThat(change.actor()).isEqualTo("alice");
			assertThat(change.evidence()).contains("found in the ledger");
		});
	}

	@Test
	void aPersonMayHaveItSentAgainOnce() {
		this.gateway.plan.addAll(List.of(Behaviour.LOSE, Behaviour.LOSE));
		charge(Mode.CALL, "opaque", "t1");
		this.resolver.resolve("t1:call_1", operation().version(), new Decision.SendAgainOnce(), "alice", null);
		await().atMost(Duration.ofSeconds(20)).until(() -> this.gateway.received.size() == 2);
		await().atMost(Duration.ofSeconds(20)).until(() -> !this.resolver.waiting(1).isEmpty());
		charge(Mode.CALL, "opaque", "t1");
		assertThat(answer()).contains("IN_DOUBT");
		this.resolver.resolve("t1:call_1", operation().version(), new Decision.SendAgainOnce(), "alice", null);
		await().atMost(Duration.ofSeconds(20)).until(() -> operation().status() == OperationStatus.SUCCEEDED);
		assertThat(this.gateway.received).containsExactly("t1:call_1", "t1:call_1", "t1:call_1");
	}

	@Test
	void whatAPersonAllowedAndNobodyCanDoIsStillLookedAt() {
		this.gateway.plan.addAll(List.of(Behaviour.LOSE, Behaviour.LOSE));
		charge(Mode.CALL, "opaque", "t1");
		charge(Mode.CALL, "queryable", "t2");
		this.jdbc.sql("UPDATE idem_operation SET several_requests = TRUE").update();
		for (String task : List.of("t1", "t2")) {
			String id = task + ":call_1";
			this.resolver.resolve(id, this.store.find(id).orElseThrow().version(), new Decision.SendAgainOnce(),
					"alice", null);
		}
		await().atMost(Duration.ofSeconds(20)).until(() -> this.resolver.waiting(2).size() == 1);
		assertThat(this.resolver.waiting(2)).extracting(Operation::requestId).containsExactly("t1:call_1");
		this.gateway.applied.add("t2:call_1");
		await().atMost(Duration.ofSeconds(20))
			.until(() -> this.store.find("t2:call_1").orElseThrow().status() == OperationStatus.SUCCEEDED);
		assertThat(this.gateway.received).containsExactly("t1:call_1", "t2:call_1");
		charge(Mode.CALL, "opaque", "t1");
		assertThat(answer()).contains("charged t1:call_1");
	}

	@Test
	void whatTheToolNoLongerTakesInTheBackgroundComesToAPerson() {
		this.gateway.deduplicates = true;
		diedInside("deduplicated");
		this.jdbc.sql("UPDATE idem_operation SET arguments = '{\"parcel\":1}'").update();
		await().atMost(Duration.ofSeconds(20)).until(() -> !this.resolver.waiting(1).isEmpty());
		assertThat(this.gateway.received).isEmpty();
		assertThat(this.cashier.entered).isEmpty();
		assertThat(this.store.checks("t1:call_1")).last()
			.satisfies((check) -> assertThat(check.outcome()).contains("order"));
	}

	@Test
	void decisionsThatMakeNoSenseAreRefused() {
		charge(Mode.CALL, "opaque", "t1");
		assertThatExceptionOfType(ResolutionRefusedException.class).isThrownBy(
				() -> this.resolver.resolve("t1:call_1", operation().version(), new Decision.NotApplied(), "bob", null))
			.withMessageContaining("SUCCEEDED");
		assertThatExceptionOfType(ResolutionRefusedException.class)
			.isThrownBy(() -> this.resolver.resolve("nobody", 1, new Decision.NotApplied(), "bob", null))
			.withMessageContaining("nobody");
		assertThatExceptionOfType(ResolutionRefusedException.class)
			.isThrownBy(() -> this.resolver.resolve("t1:call_1", 1, new Decision.NotApplied(), " ", null));
		assertTrail("IN_PROGRESS CLAIMED", "SUCCEEDED RETURNED");
	}

	// Asking again

	@ParameterizedTest
	@EnumSource
	void pleaseTryAgainInTheNextTurnIsToldThatItIsInDoubt(Mode mode) {
		this.gateway.plan.add(Behaviour.APPLY_AND_LOSE);
		this.model.rounds(calls(call("call_1", "opaque", ORDER)));
		inConversation(mode, "t1", "c1");
		inConversation(mode, "t2", "c1");
		assertThat(answer()).contains("IN_DOUBT").contains("t1:call_1");
		assertThat(this.gateway.received).hasSize(1);
		inConversation(mode, "t3", "another");
		assertThat(answer()).contains("charged t3:call_1");
	}

	@Test
	void aCallUnderAnotherKeyWaitsForADoubtAndDoesNotGetWhatIsFoundOut() {
		this.gateway.plan.add(Behaviour.LOSE);
		this.model.rounds(calls(call("call_1", "oncePerTask", ORDER)));
		inConversation(Mode.CALL, "t1", "c1");
		inConversation(Mode.CALL, "t2", "c1");
		assertThat(answer()).contains("IN_DOUBT").contains("t1:call_1");
		this.gateway.applied.add("t1:call_1");
		inConversation(Mode.CALL, "t2", "c1");
		assertThat(answer()).contains("charged t2:call_1");
		assertThat(this.gateway.applied).containsExactly("t1:call_1", "t2:call_1");
		await().until(() -> operation().status() == OperationStatus.SUCCEEDED);
	}

	@Test
	void onceItIsSettledTheNextTurnMayRepeatIt() {
		this.model.rounds(calls(call("call_1", "opaque", ORDER)));
		inConversation(Mode.CALL, "t1", "c1");
		inConversation(Mode.CALL, "t2", "c1");
		assertThat(this.gateway.applied).containsExactly("t1:call_1", "t2:call_1");
	}

	@Test
	void twentyCallersOfACallThatIsDeclinedAreOneAttempt() throws Exception {
		CountDownLatch waiting = new CountDownLatch(1);
		this.gateway.plan.add(Behaviour.DECLINE);
		this.cashier.script = () -> {
			try {
				waiting.await(10, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			return this.cashier.send();
		};
		this.model.rounds(calls(call("call_1", "scripted", ORDER)));
		List<CompletableFuture<String>> callers = IntStream.range(0, 20)
			.mapToObj((caller) -> CompletableFuture.supplyAsync(
					() -> ask(Mode.CALL, this.cashier, (request) -> request.toolContext(Map.of("task_id", "t1"))),
					(task) -> new Thread(task).start()))
			.toList();
		await().until(() -> !this.cashier.entered.isEmpty() && this.model.timesCalled() == 20);
		waiting.countDown();
		callers.forEach(CompletableFuture::join);
		assertThat(this.gateway.received).hasSize(1);
		assertThat(operation().attempt()).isEqualTo(1);
		assertThat(this.model.toolResponses())
			.allSatisfy((response) -> assertThat(response.responseData()).contains("422"));
	}

	@Test
	void aDeclinedOccurrenceIsTakenAgainAndTheReplayOfTheTaskReplaysIt() {
		this.gateway.plan.add(Behaviour.DECLINE);
		this.model.rounds(calls(call("a", "repeatable", ORDER)), calls(call("b", "repeatable", ORDER)));
		askCashier(Mode.CALL, "t1");
		assertThat(this.gateway.applied).containsExactly("t1:a");
		assertThat(this.store.find("t1:a")).map(Operation::attempt).contains(2);
		this.model.rounds(calls(call("c", "repeatable", ORDER)));
		askCashier(Mode.CALL, "t1");
		assertThat(this.gateway.applied).containsExactly("t1:a");
	}

	// The caller's transaction

	@Test
	void aTransactionOfTheCallerThatRollsBackAfterASuccessIsADiscrepancy() {
		TransactionTemplate transaction = new TransactionTemplate(
				new DataSourceTransactionManager(this.context.getBean(DataSource.class)));
		this.model.rounds(calls(call("call_1", "opaque", ORDER)));
		transaction.executeWithoutResult((status) -> {
			askCashier(Mode.CALL, "t1");
			status.setRollbackOnly();
		});
		assertThat(operation().status()).isEqualTo(OperationStatus.SUCCEEDED);
		assertThat(this.jdbc.sql("SELECT kind FROM idem_discrepancy").query(String.class).list())
			.containsExactly("ROLLED_BACK");
		transaction.executeWithoutResult((status) -> askCashier(Mode.CALL, "t2"));
		assertThat(this.jdbc.sql("SELECT count(*) FROM idem_discrepancy").query(Long.class).single()).isOne();
	}

	private void charge(Mode mode, String tool, String taskId) {
		this.model.rounds(calls(call("call_1", tool, ORDER)));
		askCashier(mode, taskId);
	}

	private String askCashier(Mode mode, String taskId) {
		return ask(mode, this.cashier, (request) -> request.toolContext(Map.of("task_id", taskId)));
	}

	private void inConversation(Mode mode, String taskId, String conversation) {
		ask(mode, this.cashier, (request) -> request.toolContext(Map.of("task_id", taskId))
			.advisors((advisors) -> advisors.param(ChatMemory.CONVERSATION_ID, conversation)));
	}

	/** The record as a process leaves it that is killed before its request was sent. */
	private void diedInside(String tool) {
		this.cashier.script = () -> "never reached";
		charge(Mode.CALL, tool, "t1");
		this.gateway.forget();
		this.gateway.deduplicates = true;
		this.cashier.forget();
		this.jdbc.sql("DELETE FROM idem_transition WHERE version > 1").update();
		this.jdbc.sql("""
				UPDATE idem_operation SET status = 'IN_PROGRESS', version = 1, result = NULL,
					lease_until = CURRENT_TIMESTAMP - INTERVAL '1' SECOND""").update();
	}

	/** Somebody looks at once instead of after a pause. */
	private void due(String requestId) {
		this.jdbc.sql("UPDATE idem_operation SET next_check_at = CURRENT_TIMESTAMP WHERE request_id = :id")
			.param("id", requestId)
			.update();
	}

	private Operation operation() {
		return this.store.find("t1:call_1").orElseThrow();
	}

	private void assertTrail(String... changes) {
		assertThat(this.store.history("t1:call_1")).extracting((change) -> change.to() + " " + change.trigger())
			.containsExactly(changes);
		assertThat(this.store.history("t1:call_1")).extracting(Transition::version)
			.containsExactlyElementsOf(IntStream.rangeClosed(1, changes.length).mapToObj(Long::valueOf).toList());
	}

}
