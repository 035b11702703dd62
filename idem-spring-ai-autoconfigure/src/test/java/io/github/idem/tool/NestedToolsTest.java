package io.github.idem.tool;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.idem.Downstream;
import io.github.idem.EffectBoundary;
import io.github.idem.EffectNotAppliedException;
import io.github.idem.Idempotent;
import io.github.idem.IdempotentTools;
import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import io.github.idem.operation.Answer;
import io.github.idem.operation.RunningCall;
import io.github.idem.testing.H2Files;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.ai.tool.function.FunctionToolCallback;

import static io.github.idem.tool.ScriptedChatModel.call;
import static io.github.idem.tool.ScriptedChatModel.calls;
import static org.assertj.core.api.Assertions.assertThat;

/** What a tool says of itself is not said of the tool that called it. */
class NestedToolsTest extends ToolCallTest {

	private static final String ORDER = "{\"id\":\"o1\"}";

	private final List<String> charged = new CopyOnWriteArrayList<>();

	@Override
	Map<String, Object> database() {
		return Map.of("spring.datasource.url", H2Files.newDatabase());
	}

	@Override
	void start(Map<String, Object> properties) {
		Map<String, Object> all = new HashMap<>(properties);
		all.put("idem.tools.checkout.duplicates", "collapse");
		super.start(all);
	}

	@BeforeEach
	void nothingCharged() {
		this.charged.clear();
	}

	@Test
	void aFunctionThatChargedAndCalledAToolThatWasDeclinedIsInDoubt() {
		ToolCallback mail = protectedMail();
		checkedOutTwice(charging(() -> mail.call(ORDER, task("inner"))));
		assertThat(status("inner")).isEqualTo(OperationStatus.FAILED);
		assertThat(status("outer")).isEqualTo(OperationStatus.IN_DOUBT);
		assertThat(this.charged).hasSize(1);
	}

	@Test
	void aFunctionThatChargedAndCalledAnUnprotectedToolThatWasDeclinedIsInDoubt() {
		ToolCallback mail = ToolCallbacks.from(new Mail())[0];
		checkedOutTwice(charging(() -> mail.call(ORDER)));
		assertThat(status("outer")).isEqualTo(OperationStatus.IN_DOUBT);
		assertThat(this.charged).hasSize(1);
	}

	@Test
	void aFunctionThatChargedAndCalledItselfIsInDoubtIfTheInnerCallWasDeclined() {
		Nested nested = new Nested();
		ToolCallback checkout = charging(() -> (this.charged.size() > 1) ? declined() : nested.call(ORDER));
		nested.tool = IdempotentTools.wrap(checkout)[0];
		checkedOutTwice(checkout);
		assertThat(status("inner")).isEqualTo(OperationStatus.FAILED);
		assertThat(status("outer")).isEqualTo(OperationStatus.IN_DOUBT);
		assertThat(this.charged).hasSize(2);
	}

	@Test
	void aToolOfAnotherKindThatPassesOnWhatItsInnerToolThrewIsInDoubt() {
		ToolCallback mail = protectedMail();
		checkedOutTwice(new Checkout(() -> {
			this.charged.add("charged");
			return mail.call(ORDER, task("inner"));
		}));
		assertThat(status("outer")).isEqualTo(OperationStatus.IN_DOUBT);
		assertThat(this.charged).hasSize(1);
	}

	@Test
	void aFunctionThatPassesOnThatItsInnerToolIsInDoubtIsInDoubt() {
		ToolCallback mail = IdempotentTools.wrap(ToolCallbacks.from(new LostMail()))[0];
		checkedOutTwice(charging(() -> mail.call(ORDER, task("inner"))));
		assertThat(status("inner")).isEqualTo(OperationStatus.IN_DOUBT);
		assertThat(status("outer")).isEqualTo(OperationStatus.IN_DOUBT);
	}

	@ParameterizedTest
	@EnumSource
	void aFunctionThatPassesOnWhatAnotherApplicationKnowsIsInDoubtUnlessThatIsDone(Answer.Notice.Status status) {
		String notice = NoticeText.of(new Answer.Notice(status, "t1:call_1", "Wait."));
		String overMcp = JsonMapper.shared().writeValueAsString(List.of(Map.of("type", "text", "text", notice)));
		checkedOutTwice(charging(() -> overMcp));
		assertThat(status("outer")).isEqualTo(
				(status == Answer.Notice.Status.ALREADY_DONE) ? OperationStatus.SUCCEEDED : OperationStatus.IN_DOUBT);
		assertThat(this.charged).hasSize(1);
	}

	@Test
	void aToolWhoseInnerToolWasRolledBackDidNothing() {
		booked();
		assertThat(status("outer")).isEqualTo(OperationStatus.FAILED);
	}

	@Test
	void aToolWhoseInnerToolSentSomethingBeforeItWasRolledBackIsInDoubt() {
		this.charged.add("over HTTP");
		booked();
		assertThat(status("outer")).isEqualTo(OperationStatus.IN_DOUBT);
	}

	private void booked() {
		Booking booking = new Booking(this.charged);
		ToolCallback[] tools = IdempotentTools.wrap(ToolCallbacks.from(booking));
		booking.inner = tool(tools, "book");
		try {
			tool(tools, "travel").call(ORDER, task("outer"));
		}
		catch (ToolExecutionException ex) {
			assertThat(ex).hasMessageContaining("no seat");
		}
	}

	private static ToolCallback tool(ToolCallback[] tools, String name) {
		return Stream.of(tools)
			.filter((tool) -> tool.getToolDefinition().name().equals(name))
			.findFirst()
			.orElseThrow();
	}

	@Test
	void aFunctionThatWasDeclinedItselfFailedAndMayBeCalledAgain() {
		checkedOutTwice(charging(NestedToolsTest::declined));
		assertThat(status("outer")).isEqualTo(OperationStatus.FAILED);
		assertThat(this.charged).hasSize(2);
	}

	@Test
	void aToolOfAnotherKindThatWasDeclinedItselfFailed() {
		Checkout checkout = new Checkout(() -> "");
		checkout.body = () -> {
			throw new ToolExecutionException(checkout.getToolDefinition(),
					new EffectNotAppliedException("card declined"));
		};
		checkedOutTwice(checkout);
		assertThat(status("outer")).isEqualTo(OperationStatus.FAILED);
	}

	private ToolCallback charging(Supplier<String> thenDo) {
		return FunctionToolCallback.builder("checkout", (Order order) -> {
			this.charged.add(order.id());
			return thenDo.get();
		}).description("Charges and then mails").inputType(Order.class).build();
	}

	private static ToolCallback protectedMail() {
		return IdempotentTools.wrap(ToolCallbacks.from(new Mail()))[0];
	}

	private static String declined() {
		throw new EffectNotAppliedException("card declined");
	}

	private void checkedOutTwice(ToolCallback checkout) {
		for (int time = 0; time < 2; time++) {
			this.model.rounds(calls(call("call_1", "checkout", ORDER)));
			ask(Mode.CALL, checkout, (request) -> request.toolContext(Map.of("task_id", "outer")));
		}
	}

	private OperationStatus status(String task) {
		List<String> ids = this.jdbc.sql("SELECT request_id FROM idem_operation WHERE task_id = :task")
			.param("task", task)
			.query(String.class)
			.list();
		assertThat(ids).hasSize(1);
		return this.store.find(ids.get(0)).map(Operation::status).orElseThrow();
	}

	private static ToolContext task(String task) {
		return new ToolContext(Map.of("task_id", task));
	}

	record Order(String id) {
	}

	static class Mail {

		@Idempotent
		@Tool(description = "Mails a receipt")
		String mail(String id) {
			throw new EffectNotAppliedException("no mail address");
		}

	}

	static class LostMail {

		@Idempotent
		@Tool(description = "Mails a receipt")
		String mail(String id) {
			throw new IllegalStateException("no answer");
		}

	}

	/** A tool that makes no effect but through another one. */
	static class Booking {

		private final List<String> charged;

		private @Nullable ToolCallback inner;

		Booking(List<String> charged) {
			this.charged = charged;
		}

		@Idempotent(effect = EffectBoundary.HTTP)
		@Tool(description = "Books what a journey takes")
		String travel(String id) {
			assertThat(this.inner).isNotNull();
			return this.inner.call(ORDER, task("inner"));
		}

		@Idempotent(downstream = Downstream.TRANSACTIONAL)
		@Tool(description = "Books a seat")
		String book(String id) {
			if (this.charged.contains("over HTTP")) {
				RunningCall.ofThisThread().orElseThrow().send("POST");
			}
			throw new IllegalStateException("no seat");
		}

	}

	/** The tool itself, for a call from inside it. */
	private static final class Nested {

		private @Nullable ToolCallback tool;

		String call(String arguments) {
			assertThat(this.tool).isNotNull();
			return this.tool.call(arguments, task("inner"));
		}

	}

	private static final class Checkout implements ToolCallback {

		private Supplier<String> body;

		Checkout(Supplier<String> body) {
			this.body = body;
		}

		@Override
		public ToolDefinition getToolDefinition() {
			return ToolDefinition.builder()
				.name("checkout")
				.description("Charges and then mails")
				.inputSchema("{\"type\":\"object\"}")
				.build();
		}

		@Override
		public String call(String toolInput) {
			return this.body.get();
		}

	}

}
