package io.github.idem.tool;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import io.github.idem.IdempotencyStoreException;
import io.github.idem.MissingTaskIdException;
import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.AdvisorChain;
import org.springframework.ai.chat.client.advisor.api.BaseAdvisor;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;

import static io.github.idem.tool.ScriptedChatModel.call;
import static io.github.idem.tool.ScriptedChatModel.calls;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Input that nobody should send, and databases that are not there. */
abstract class BadInputTest extends ToolCallTest {

	private static final String ONE = "{\"user\":\"u1\",\"amount\":1}";

	@ParameterizedTest
	@ValueSource(strings = { "{\"user\":\"u1\",\"amount\":1}{\"user\":\"u1\",\"amount\":2}",
			"{\"user\":\"u1\",\"amount\":1", "{\"user\":\"line\nbreak\",\"amount\":1}", "[1]", "null", "7",
			"\"{\\\"user\\\":\\\"u1\\\",\\\"amount\\\":1}\"", "{\"user\":\"u1\",\"user\":\"u2\",\"amount\":1}",
			"{\"user\":\"\\ud800\",\"amount\":1}", "{'user':'u1','amount':1}", "{\"user\":\"u1\",\"amount\":NaN}" })
	void argumentsThatAreNotOneWellFormedObjectAreRefusedAndLeaveNoRow(String arguments) {
		this.model.rounds(calls(call("call_1", "pay", arguments)));
		assertThat(ask(Mode.CALL, "t1")).isEqualTo("done");
		assertThat(this.payments.entered).isEmpty();
		assertThat(rows()).isZero();
		assertThat(this.model.lastToolResponses()).singleElement()
			.extracting(ToolResponse::responseData)
			.asString()
			.isNotBlank()
			.doesNotContain("\tat ", "Exception");
	}

	@Test
	void argumentsNestedWithoutEndAreRefused() {
		this.model.rounds(calls(call("call_1", "pay", "{\"user\":" + "[".repeat(500_000))));
		ask(Mode.CALL, "t1");
		assertThat(this.payments.entered).isEmpty();
		assertThat(rows()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void aMegabyteOfArgumentsIsOneCallAndIsReplayed(Mode mode) {
		String user = randomText(1_000_000);
		this.model.rounds(calls(call("call_1", "pay", "{\"user\":\"%s\",\"amount\":1}".formatted(user))),
				calls(call("call_2", "pay", "{\"amount\":1.0,\"user\":\"%s\"}".formatted(user))));
		ask(mode, "t1");
		assertThat(this.payments.entered).singleElement().extracting(Payments.Entry::what).isEqualTo(user + " 1.0");
	}

	@ParameterizedTest
	@EnumSource
	void idsOfFourKilobytesGiveAShortRequestIdThatStaysTheSame(Mode mode) {
		String task = randomText(4_096);
		String id = randomText(4_096);
		this.model.rounds(calls(call(id, "pay", ONE)), calls(call(id, "pay", ONE)));
		ask(mode, task);
		ask(mode, task);
		assertThat(this.payments.entered).singleElement()
			.extracting(Payments.Entry::requestId)
			.asString()
			.matches("[\\x21-\\x7e]{1,255}");
		assertThat(this.store.findByToolCall(task, id)).singleElement()
			.extracting(Operation::status)
			.isEqualTo(OperationStatus.SUCCEEDED);
	}

	@ParameterizedTest
	@EnumSource
	void aRequestThatNamesNoTaskIsGivenAnIdOfItsOwn(Mode mode) {
		this.model.rounds(calls(call("call_1", "pay", ONE)), calls(call("call_2", "pay", ONE)));
		ask(mode, (request) -> {
		});
		ask(mode, (request) -> {
		});
		assertThat(this.payments.entered).as("one for each request, not one for each round").hasSize(2);
	}

	@ParameterizedTest
	@EnumSource
	void aTaskIdMayComeAsAnAdvisorParameterAndABlankOneIsNone(Mode mode) {
		this.model.rounds(calls(call("call_1", "pay", ONE)));
		ask(mode, (request) -> request.toolContext(Map.of("task_id", " "))
			.advisors((advisors) -> advisors.param("task_id", "t9")));
		assertThat(this.payments.entered).singleElement().extracting(Payments.Entry::taskId).isEqualTo("t9");
	}

	@ParameterizedTest
	@EnumSource
	void aRequestThatLostItsTaskOnTheWayIsGivenAnIdAtTheToolLoop(Mode mode) {
		this.model.rounds(calls(call("call_1", "pay", ONE)), calls(call("call_2", "pay", ONE)));
		ask(mode, (request) -> request.toolContext(Map.of("task_id", "t1")).advisors(new ForgetsToolContext()));
		assertThat(this.payments.entered).singleElement()
			.extracting(Payments.Entry::taskId)
			.asString()
			.isNotBlank()
			.isNotEqualTo("t1");
	}

	@ParameterizedTest
	@EnumSource
	void aTaskIdThatIsNoTextIsRefusedBeforeTheModelIsCalled(Mode mode) {
		assertThatExceptionOfType(MissingTaskIdException.class)
			.isThrownBy(() -> ask(mode, (request) -> request.toolContext(Map.of("task_id", 7))))
			.withMessageContaining("String");
		assertThat(this.model.timesCalled()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void whereATaskIdIsRequiredTheModelIsNotCalledWithoutOne(Mode mode) {
		restart(Map.of("idem.task-id.required", "true"));
		assertThatExceptionOfType(MissingTaskIdException.class).isThrownBy(() -> ask(mode, (request) -> {
		})).withMessageContaining("task_id");
		assertThat(this.model.timesCalled()).isZero();
		this.model.rounds(calls(call("call_1", "pay", ONE)));
		assertThat(ask(mode, "t1")).isEqualTo("done");
		stop();
	}

	@ParameterizedTest
	@EnumSource
	void withTheDatabaseDownTheToolIsNotEnteredAndTheCallerIsTold(Mode mode) {
		this.model.rounds(calls(call("call_1", "pay", ONE)));
		this.context.getBean(HikariDataSource.class).close();
		assertThatExceptionOfType(IdempotencyStoreException.class).isThrownBy(() -> ask(mode, "t1"))
			.withMessageContaining("t1:call_1");
		assertThat(this.payments.entered).isEmpty();
		stop();
	}

	@Test
	void twentyCallersOfOneCallAreOneEffectAndAllGetItsResult() throws Exception {
		this.model.rounds(calls(call("call_1", "pay", ONE)));
		int callers = 20;
		CountDownLatch start = new CountDownLatch(1);
		ExecutorService threads = Executors.newFixedThreadPool(callers);
		try {
			var futures = java.util.stream.IntStream.range(0, callers)
				.<Future<String>>mapToObj((i) -> threads.submit(() -> {
					start.await();
					return ask(Mode.CALL, "t1");
				}))
				.toList();
			start.countDown();
			for (Future<String> future : futures) {
				assertThat(future.get(30, TimeUnit.SECONDS)).isEqualTo("done");
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(this.payments.entered).hasSize(1);
		assertThat(this.model.lastToolResponses()).extracting(ToolResponse::responseData)
			.containsExactly("\"paid 1.0 as #0\"");
	}

	private void restart(Map<String, Object> more) {
		Map<String, Object> properties = new java.util.HashMap<>(database());
		properties.putAll(more);
		stop();
		start(properties);
	}

	private static final class ForgetsToolContext implements BaseAdvisor {

		@Override
		public ChatClientRequest before(ChatClientRequest request, AdvisorChain chain) {
			List<ToolCallback> tools = ((ToolCallingChatOptions) request.prompt().getOptions()).getToolCallbacks();
			return request.mutate()
				.prompt(new Prompt(request.prompt().getInstructions(),
						ToolCallingChatOptions.builder().toolCallbacks(tools).build()))
				.build();
		}

		@Override
		public ChatClientResponse after(ChatClientResponse response, AdvisorChain chain) {
			return response;
		}

		@Override
		public int getOrder() {
			return TaskIdAdvisor.ORDER + 1;
		}

	}

	private static String randomText(int length) {
		return new Random(42).ints(length, 0, 62)
			.mapToObj("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"::charAt)
			.collect(StringBuilder::new, StringBuilder::append, StringBuilder::append)
			.toString();
	}

}
