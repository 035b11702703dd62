package io.github.idem.tool;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import io.github.idem.EffectNotAppliedException;
import io.github.idem.Idempotent;
import io.github.idem.IdempotentTools;
import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import io.github.idem.testing.H2Files;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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
