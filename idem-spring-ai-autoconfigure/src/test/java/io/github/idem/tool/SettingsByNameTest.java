package io.github.idem.tool;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.idem.IdempotentCall;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.function.FunctionToolCallback;

import static io.github.idem.tool.ScriptedChatModel.call;
import static io.github.idem.tool.ScriptedChatModel.calls;
import static org.assertj.core.api.Assertions.assertThat;

/** Tools that have no method to annotate are protected by their name. */
abstract class SettingsByNameTest extends ToolCallTest {

	static final Map<String, Object> SETTINGS = Map.of("idem.tools.send.key", "#to", "idem.tools.send.ignoring", "text",
			"idem.tools.remote.duplicates", "reject", "idem.tools.pay.duplicates", "allow");

	private final List<String> entered = new CopyOnWriteArrayList<>();

	@BeforeEach
	void empty() {
		this.entered.clear();
	}

	@ParameterizedTest
	@EnumSource
	void aFunctionHasItsKeyAndWhatIsIgnored(Mode mode) {
		ToolCallback send = FunctionToolCallback.builder("send", (Mail mail, ToolContext context) -> {
			this.entered.add(mail.to() + " " + context.getContext().get(IdempotentCall.REQUEST_ID));
			return "sent";
		}).description("Sends a mail").inputType(Mail.class).build();
		this.model.rounds(calls(call("call_1", "send", "{\"to\":\"a@b.c\",\"text\":\"hello\"}")),
				calls(call("call_2", "send", "{\"to\":\"a@b.c\",\"text\":\"hello there\"}")));
		ask(mode, send, (request) -> request.toolContext(Map.of("task_id", "t1")));
		ask(mode, send, (request) -> request.toolContext(Map.of("task_id", "t2")));
		assertThat(this.entered).containsExactly("a@b.c t1:call_1");
		assertThat(this.jdbc.sql("SELECT business_ref FROM idem_operation").query(String.class).single())
			.isEqualTo("a@b.c");
	}

	@ParameterizedTest
	@EnumSource
	void aToolThatIsNeitherMethodNorFunctionIsProtectedToo(Mode mode) {
		this.model.rounds(calls(call("call_1", "remote", "{\"a\":1,\"b\":{\"y\":2,\"x\":3}}")),
				calls(call("call_2", "remote", "{\"b\":{\"x\":3.0,\"y\":2},\"a\":1}")));
		ask(mode, new Remote(), (request) -> request.toolContext(Map.of("task_id", "t1")));
		assertThat(this.entered).hasSize(1);
		assertThat(this.model.lastToolResponses().get(1).responseData()).contains("ALREADY_DONE");
	}

	@Test
	void aManagerThatHandsOnToAnotherEntersTheToolAndKeepsItsResult() {
		ToolCallingManager first = this.context.getBean(ToolCallingManager.class);
		ToolCallingManager second = (ToolCallingManager) this.context.getBean(ToolCallingPostProcessor.class)
			.postProcessAfterInitialization(new HandsOn(first), "second");
		Prompt prompt = new Prompt("please",
				ToolCallingChatOptions.builder()
					.toolCallbacks(new Remote())
					.toolContext(Map.of("task_id", "t1"))
					.build());
		this.model.rounds(calls(call("call_1", "remote", "{}")));
		ToolExecutionResult result = second.executeToolCalls(prompt, this.model.call(prompt));
		assertThat(this.entered).hasSize(1);
		assertThat(result.conversationHistory()).last()
			.isInstanceOfSatisfying(ToolResponseMessage.class,
					(message) -> assertThat(message.getResponses().get(0).responseData()).isEqualTo("done"));
	}

	@ParameterizedTest
	@EnumSource
	void aSettingOverrulesTheAnnotation(Mode mode) {
		String one = "{\"user\":\"u1\",\"amount\":1}";
		this.model.rounds(calls(call("call_1", "pay", one)), calls(call("call_2", "pay", one)));
		ask(mode, "t1");
		assertThat(this.payments.entered).hasSize(2);
	}

	@ParameterizedTest
	@EnumSource
	void aFunctionWithoutSettingsIsUntouched(Mode mode) {
		ToolCallback look = FunctionToolCallback.builder("look", (Mail mail) -> {
			this.entered.add(mail.to());
			return "nothing new";
		}).description("Looks for mail").inputType(Mail.class).build();
		this.model.rounds(calls(call("call_1", "look", "{\"to\":\"a\"}")),
				calls(call("call_2", "look", "{\"to\":\"a\"}")));
		ask(mode, look, (request) -> request.toolContext(Map.of("task_id", "t1")));
		assertThat(this.entered).hasSize(2);
		assertThat(rows()).isZero();
	}

	record Mail(String to, String text) {
	}

	private record HandsOn(ToolCallingManager other) implements ToolCallingManager {

		@Override
		public List<ToolDefinition> resolveToolDefinitions(ToolCallingChatOptions options) {
			return this.other.resolveToolDefinitions(options);
		}

		@Override
		public ToolExecutionResult executeToolCalls(Prompt prompt, ChatResponse response) {
			return this.other.executeToolCalls(prompt, response);
		}

	}

	private final class Remote implements ToolCallback {

		@Override
		public ToolDefinition getToolDefinition() {
			return ToolDefinition.builder()
				.name("remote")
				.description("Does something elsewhere")
				.inputSchema("{\"type\":\"object\"}")
				.build();
		}

		@Override
		public String call(String toolInput) {
			SettingsByNameTest.this.entered.add(toolInput);
			return "done";
		}

	}

}
