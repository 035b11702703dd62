package io.github.idem.tool;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import io.github.idem.Idempotent;
import io.github.idem.IdempotencyException;
import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.aop.framework.ProxyFactory;

import static io.github.idem.tool.ScriptedChatModel.call;
import static io.github.idem.tool.ScriptedChatModel.calls;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

/** What Spring AI and its users do with tools, and what is right then. */
abstract class SpringAiCasesTest extends ToolCallTest {

	private static final String ONE = "{\"user\":\"u1\",\"amount\":1}";

	private static final String ONE_REWRITTEN = "{\"amount\":1.0,\"user\":\"u1\"}";

	private static final String TWO = "{\"user\":\"u1\",\"amount\":2}";

	private static final String COFFEE = "{\"size\":\"small\"}";

	@ParameterizedTest
	@EnumSource
	void aResultThatGoesDirectlyToTheCallerStillDoesWhenReplayed(Mode mode) {
		Till till = new Till();
		for (String id : List.of("call_1", "call_2")) {
			this.model.rounds(calls(call(id, "pay", ONE)));
			String said = ask(mode, new Till.ReturnDirect(),
					(request) -> request.toolContext(Map.of("task_id", "t1", Till.KEY, till)));
			assertThat(said).isEqualTo("\"paid 1.0 as #0\"");
		}
		assertThat(till.entered).hasSize(1);
		assertThat(this.model.timesCalled()).as("the model never saw the result").isEqualTo(2);
	}

	@Test
	void equalCallsThatAManagerRunsAtOnceAreOneEffectAnsweredUnderEachId() {
		inParallel(call("a", "pay", ONE), call("b", "pay", ONE_REWRITTEN), call("c", "pay", TWO));
		assertThat(this.payments.entered).extracting(Payments.Entry::what)
			.containsExactlyInAnyOrder("u1 1.0", "u1 2.0");
		List<ToolResponse> responses = this.model.lastToolResponses();
		assertThat(responses).extracting(ToolResponse::id).containsExactly("a", "b", "c");
		assertThat(responses.get(0).responseData()).isEqualTo(responses.get(1).responseData())
			.startsWith("\"paid 1.0 as #");
		assertThat(responses.get(2).responseData()).startsWith("\"paid 2.0 as #");
		assertThat(operation("t1", "c").requestId()).isEqualTo("t1:c");
	}

	@Test
	void callsThatAManagerRunsBackwardsKeepTheirIds() {
		Deque<Runnable> waiting = new ArrayDeque<>();
		run((call) -> {
			waiting.push(call);
			if (waiting.size() == 3) {
				waiting.forEach(Runnable::run);
			}
		}, call("a", "pay", ONE), call("b", "buyCoffee", COFFEE), call("c", "pay", TWO));
		assertThat(this.payments.entered).extracting(Payments.Entry::what, Payments.Entry::requestId)
			.containsExactly(tuple("u1 2.0", "t1:c"), tuple("small", "t1:b"), tuple("u1 1.0", "t1:a"));
	}

	@Test
	void coffeesThatAManagerRunsAtOnceAreOneEffectEachAndTheirReplayIsNoMore() {
		AssistantMessage.ToolCall[] coffees = { call("a", "buyCoffee", COFFEE), call("b", "buyCoffee", COFFEE) };
		inParallel(coffees);
		inParallel(coffees);
		assertThat(this.payments.entered).extracting(Payments.Entry::requestId)
			.containsExactlyInAnyOrder("t1:a", "t1:b");
	}

	@ParameterizedTest
	@EnumSource
	void anErrorOfAToolLeavesTheCallInDoubtAndReachesTheCaller(Mode mode) {
		this.payments.before = (entry) -> {
			throw new NoClassDefFoundError("com/example/Receipt");
		};
		this.model.rounds(calls(call("a", "pay", ONE)));
		assertThatThrownBy(() -> ask(mode, "t1")).hasRootCauseInstanceOf(NoClassDefFoundError.class);
		assertThat(operation("t1", "a")).extracting(Operation::status, Operation::mayHaveApplied)
			.containsExactly(OperationStatus.IN_DOUBT, true);
		this.payments.before = (entry) -> {
		};
		ask(mode, "t1");
		assertThat(this.payments.entered).as("not made again").isEmpty();
		assertThat(answer()).contains("IN_DOUBT");
	}

	@ParameterizedTest
	@EnumSource
	void aPlainObjectBehindAJdkProxyIsRefusedWithTheRemedy(Mode mode) {
		ProxyFactory factory = new ProxyFactory(new TillBehindAnInterface());
		factory.setInterfaces(Named.class);
		assertThatExceptionOfType(IdempotencyException.class)
			.isThrownBy(() -> ask(mode, factory.getProxy(), (request) -> request.toolContext(Map.of("task_id", "t1"))))
			.withMessageContaining("TillBehindAnInterface.pay")
			.withMessageContaining("spring.aop.proxy-target-class=true");
		assertThat(this.model.timesCalled()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void aPlainObjectWhoseEffectWouldOutliveTheClaimIsRefusedWithTheRemedy(Mode mode) {
		for (Object tools : List.of(new ReturnsMono(), new ReturnsFuture())) {
			assertThatExceptionOfType(IdempotencyException.class)
				.isThrownBy(() -> ask(mode, tools, (request) -> request.toolContext(Map.of("task_id", "t1"))))
				.withMessageContaining("outlive the claim")
				.withMessageContaining("join()");
		}
		assertThat(this.model.timesCalled()).isZero();
	}

	private void inParallel(AssistantMessage.ToolCall... batch) {
		run((call) -> new Thread(call).start(), batch);
	}

	/** As with a manager bean of the application's own. */
	private void run(Executor executor, AssistantMessage.ToolCall... batch) {
		this.model.rounds(calls(batch));
		ToolCallingManager manager = (ToolCallingManager) this.context.getBean(ToolCallingPostProcessor.class)
			.postProcessAfterInitialization(new ApplicationDoors.Parallel(executor), "parallel");
		Prompt prompt = new Prompt("please",
				ToolCallingChatOptions.builder()
					.toolCallbacks(ToolCallbacks.from(this.payments))
					.toolContext(Map.of("task_id", "t1"))
					.build());
		this.model.call(new Prompt(manager.executeToolCalls(prompt, this.model.call(prompt)).conversationHistory()));
	}

	private Operation operation(String taskId, String toolCallId) {
		List<Operation> operations = this.store.findByToolCall(taskId, toolCallId);
		assertThat(operations).hasSize(1);
		return operations.get(0);
	}

	interface Named {

		String name();

	}

	static class TillBehindAnInterface implements Named {

		@Override
		public String name() {
			return "till";
		}

		@Idempotent
		@Tool(description = "Charges")
		public String pay(String user) {
			return "paid";
		}

	}

	static class ReturnsMono {

		@Idempotent
		@Tool(description = "Charges")
		Mono<String> pay(String user) {
			return Mono.just("paid");
		}

	}

	static class ReturnsFuture {

		@Idempotent
		@Tool(description = "Charges")
		CompletableFuture<String> pay(String user) {
			return CompletableFuture.completedFuture("paid");
		}

	}

}
