package io.github.idem.tool;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.idem.EffectNotAppliedException;
import io.github.idem.Idempotent;
import io.github.idem.IdempotentCall;
import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.annotation.ToolParam;

import static io.github.idem.tool.ScriptedChatModel.call;
import static io.github.idem.tool.ScriptedChatModel.calls;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** At most one success for each business key, over tasks. */
abstract class BusinessKeysTest extends ToolCallTest {

	private Orders orders = new Orders();

	@Override
	void start(Map<String, Object> properties) {
		Map<String, Object> all = new HashMap<>(properties);
		all.put("idem.wait.timeout", "60s");
		super.start(all);
	}

	@BeforeEach
	void newOrders() {
		this.orders = new Orders();
	}

	@ParameterizedTest
	@EnumSource
	void anEqualCallOfAnotherTaskIsTheSameOperation(Mode mode) {
		assertThat(pay(mode, "t1", "call_1", "4711", "29.9")).isEqualTo("\"paid 4711\"");
		assertThat(pay(mode, "t2", "call_2", "4711", "29.90")).isEqualTo("\"paid 4711\"");
		assertThat(this.orders.entered).containsExactly("t1:call_1 4711");
		assertThat(rows()).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void theSameKeyWithAnotherAmountIsAConflictAndNoEffect(Mode mode) {
		pay(mode, "t1", "call_1", "4711", "29.9");
		assertThat(pay(mode, "t1", "call_2", "4711", "30")).contains("\"status\":\"CONFLICT\"")
			.contains("\"request_id\":\"t1:call_1\"");
		assertThat(pay(mode, "t2", "call_3", "4711", "30")).contains("\"status\":\"CONFLICT\"");
		assertThat(this.orders.entered).hasSize(1);
		assertThat(rows()).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void anotherKeyIsAnotherOperation(Mode mode) {
		pay(mode, "t1", "call_1", "4711", "29.9");
		pay(mode, "t1", "call_2", "4712", "29.9");
		assertThat(this.orders.entered).hasSize(2);
	}

	@ParameterizedTest
	@EnumSource
	void twoTenantsWithTheSameOrderNumberAreTwoEffects(Mode mode) {
		for (String tenant : List.of("north", "south", "north")) {
			this.model.rounds(calls(call("call_1", "ship", "{\"orderId\":\"4711\"}")));
			ask(mode, this.orders,
					(request) -> request.toolContext(Map.of("task_id", "task of " + tenant, "tenant", tenant)));
		}
		assertThat(this.orders.entered).hasSize(2);
		assertThat(this.jdbc.sql("SELECT business_ref FROM idem_operation ORDER BY business_ref")
			.query(String.class)
			.list()).containsExactly("north:4711", "south:4711");
	}

	@ParameterizedTest
	@EnumSource
	void aDefiniteFailureFreesTheKeyAndItStaysReadable(Mode mode) {
		this.orders.declines = 1;
		assertThat(pay(mode, "t1", "call_1", "4711", "29.9")).isEqualTo("card declined");
		assertThat(this.jdbc.sql("SELECT business_ref FROM idem_operation WHERE business_key IS NULL")
			.query(String.class)
			.single()).isEqualTo("4711");
		assertThat(pay(mode, "t2", "call_2", "4711", "30")).isEqualTo("\"paid 4711\"");
		assertThat(this.orders.entered).containsExactly("t2:call_2 4711");
	}

	@ParameterizedTest
	@EnumSource
	void afterAFailureTheOneWhoHoldsTheKeyNowAnswers(Mode mode) {
		this.orders.declines = 1;
		pay(mode, "t1", "call_1", "4711", "29.9");
		pay(mode, "t2", "call_2", "4711", "29.9");
		assertThat(pay(mode, "t1", "call_3", "4711", "29.9")).isEqualTo("\"paid 4711\"");
		assertThat(this.orders.entered).as("one success").hasSize(1);
		assertThat(this.store.find("t1:call_1")).map(Operation::status).contains(OperationStatus.FAILED);
	}

	@ParameterizedTest
	@EnumSource
	void oneInDoubtKeepsTheKeyAndAnswersInDoubt(Mode mode) {
		this.orders.breaks = true;
		pay(mode, "t1", "call_1", "4711", "29.9");
		assertThat(pay(mode, "t2", "call_2", "4711", "29.9")).contains("\"status\":\"IN_DOUBT\"");
		assertThat(pay(mode, "t2", "call_2", "4711", "30")).contains("\"status\":\"CONFLICT\"");
		assertThat(this.orders.entered).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void aKeyThatComesToNothingIsRefusedAndLeavesNoRow(Mode mode) {
		for (String arguments : List.of("{\"amount\":1}", "{\"orderId\":null,\"amount\":1}",
				"{\"orderId\":\"  \",\"amount\":1}")) {
			this.model.rounds(calls(call("call_1", "refund", arguments)));
			ask(mode, this.orders, (request) -> request.toolContext(Map.of("task_id", "t1")));
			assertThat(answer()).contains("business key").contains("orderId").doesNotContain("Exception", "\tat ");
		}
		assertThat(this.orders.entered).isEmpty();
		assertThat(rows()).isZero();
	}

	@Test
	void twentyTasksWithOneKeyAtOnceAreOneEffect() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(20);
		CountDownLatch start = new CountDownLatch(1);
		this.model.rounds(calls(call("call_1", "pay", "{\"orderId\":\"4711\",\"amount\":29.9}")));
		try {
			List<Future<String>> answers = IntStream.range(0, 20).mapToObj((task) -> threads.submit(() -> {
				start.await();
				return ask(Mode.CALL, this.orders, (request) -> request.toolContext(Map.of("task_id", "t" + task)));
			})).toList();
			start.countDown();
			for (Future<String> answer : answers) {
				assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("done");
			}
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(this.orders.entered).hasSize(1);
		assertThat(rows()).isOne();
	}

	@Test
	void anEqualCallOfTheSameConversationUnderAnotherKeyDoesNotGetTheResultOfOneThatIsRunning() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(2);
		this.model.rounds(calls(call("call_1", "deliver", "{\"orderId\":\"4711\"}")));
		try {
			Future<String> running = threads.submit(() -> inConversation("t1"));
			assertThat(this.orders.delivering.await(30, TimeUnit.SECONDS)).isTrue();
			threads.submit(() -> inConversation("t2")).get(30, TimeUnit.SECONDS);
			assertThat(answer()).contains("\"status\":\"IN_PROGRESS\"").contains("\"request_id\":\"t1:call_1\"");
			this.orders.delivered.countDown();
			running.get(30, TimeUnit.SECONDS);
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(this.orders.entered).containsExactly("deliver 4711");
	}

	@Test
	void anEqualCallOfTheSameConversationUnderTheSameKeyGetsTheResultOfOneThatIsRunning() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(2);
		this.model.rounds(calls(call("call_1", "handOver", "{\"orderId\":\"4711\"}")));
		try {
			Future<String> running = threads.submit(() -> inConversation("t1"));
			assertThat(this.orders.delivering.await(30, TimeUnit.SECONDS)).isTrue();
			Future<String> second = threads.submit(() -> inConversation("t2"));
			await().until(() -> this.model.timesCalled() == 2);
			this.orders.delivered.countDown();
			running.get(30, TimeUnit.SECONDS);
			second.get(30, TimeUnit.SECONDS);
		}
		finally {
			threads.shutdownNow();
		}
		assertThat(this.model.toolResponses()).extracting(ToolResponse::responseData).containsOnly("\"delivered\"");
		assertThat(this.orders.entered).containsExactly("deliver 4711");
	}

	private String inConversation(String taskId) {
		return ask(Mode.CALL, this.orders, (request) -> request.toolContext(Map.of("task_id", taskId))
			.advisors((advisors) -> advisors.param(ChatMemory.CONVERSATION_ID, "chat")));
	}

	private String pay(Mode mode, String taskId, String toolCallId, String orderId, String amount) {
		this.model
			.rounds(calls(call(toolCallId, "pay", "{\"orderId\":\"%s\",\"amount\":%s}".formatted(orderId, amount))));
		ask(mode, this.orders, (request) -> request.toolContext(Map.of("task_id", taskId)));
		return answer();
	}

	static class Orders {

		final List<String> entered = new CopyOnWriteArrayList<>();

		final CountDownLatch delivering = new CountDownLatch(1);

		final CountDownLatch delivered = new CountDownLatch(1);

		volatile int declines;

		volatile boolean breaks;

		@Idempotent(key = "#orderId")
		@Tool(description = "Pays an order")
		String pay(String orderId, BigDecimal amount) {
			if (this.declines-- > 0) {
				throw new EffectNotAppliedException("card declined");
			}
			if (this.breaks) {
				throw new IllegalStateException("Read timed out");
			}
			this.entered.add(IdempotentCall.current().orElseThrow().requestId() + " " + orderId);
			return "paid " + orderId;
		}

		@Idempotent(key = "#toolContext['tenant'] + ':' + #orderId")
		@Tool(description = "Ships an order")
		String ship(String orderId) {
			this.entered.add(orderId);
			return "shipped";
		}

		@Idempotent(key = "#taskId + ':' + #orderId")
		@Tool(description = "Delivers an order")
		String deliver(String orderId) throws InterruptedException {
			this.entered.add("deliver " + orderId);
			this.delivering.countDown();
			assertThat(this.delivered.await(30, TimeUnit.SECONDS)).isTrue();
			return "delivered";
		}

		@Idempotent(key = "#orderId")
		@Tool(description = "Hands over an order")
		String handOver(String orderId) throws InterruptedException {
			return deliver(orderId);
		}

		@Idempotent(key = "#orderId?.trim()")
		@Tool(description = "Refunds an order")
		String refund(@ToolParam(required = false) @Nullable String orderId, BigDecimal amount) {
			this.entered.add("refund " + orderId + amount);
			return "refunded";
		}

	}

}
