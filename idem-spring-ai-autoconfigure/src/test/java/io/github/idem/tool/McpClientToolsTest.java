package io.github.idem.tool;

import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.tool.ToolCallbackProvider;

import static io.github.idem.tool.ScriptedChatModel.call;
import static io.github.idem.tool.ScriptedChatModel.calls;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tools of a real MCP server: they have no method to annotate, so they are protected by
 * their name, and all that reaches the other side of the tool context is {@code _meta}.
 */
abstract class McpClientToolsTest extends ToolCallTest {

	private static final String TRANSFER = "{\"to\":\"u1\",\"amount\":\"29.90\"}";

	private final McpBank bank = new McpBank();

	@Override
	final Map<String, Object> database() {
		Map<String, Object> properties = new HashMap<>(this.bank.connection());
		properties.put("spring.datasource.url", url());
		// As the client has it: without the hyphen.
		properties.put("idem.tools.transfer_money.duplicates", "collapse");
		return properties;
	}

	abstract String url();

	@BeforeEach
	void forgetCalls() {
		this.bank.forget();
	}

	@AfterAll
	void stopBank() {
		this.bank.close();
	}

	@ParameterizedTest
	@EnumSource
	void aProtectedToolIsEnteredOnceAndItsServerLearnsTheThreeIds(Mode mode) {
		this.model.rounds(transfer("call_1"), transfer("call_2"));
		ask(mode, tools(), (request) -> request.toolContext(Map.of("task_id", "t1", "tenant", "acme")));
		assertThat(this.bank.received()).containsExactly(new McpBank.Received("transfer-money", "u1 29.90",
				Map.of("request_id", "t1:call_1", "task_id", "t1", "tool_call_id", "call_1", "tenant", "acme")));
		assertThat(this.model.lastToolResponses()).hasSize(2)
			.allSatisfy((response) -> assertThat(response.responseData()).contains("transfer #1"));
		assertThat(this.jdbc.sql("SELECT request_id, tool, status FROM idem_operation").query().singleRow().values())
			.containsExactly("t1:call_1", "transfer_money", "SUCCEEDED");
	}

	@ParameterizedTest
	@EnumSource
	void theSameTaskAskedAgainIsAnsweredWithoutTheServer(Mode mode) {
		this.model.rounds(transfer("call_1"));
		ask(mode, tools(), (request) -> request.toolContext(Map.of("task_id", "t1")));
		String first = answer();
		this.bank.forget();
		ask(mode, tools(), (request) -> request.toolContext(Map.of("task_id", "t1")));
		assertThat(this.bank.received()).isEmpty();
		assertThat(answer()).isEqualTo(first);
	}

	@ParameterizedTest
	@EnumSource
	void anotherTransferIsMade(Mode mode) {
		this.model.rounds(transfer("call_1"),
				calls(call("call_2", "transfer_money", "{\"to\":\"u2\",\"amount\":\"29.90\"}")));
		ask(mode, tools(), (request) -> request.toolContext(Map.of("task_id", "t1")));
		assertThat(this.bank.received()).extracting((received) -> received.meta().get("request_id"))
			.containsExactly("t1:call_1", "t1:call_2");
	}

	@ParameterizedTest
	@EnumSource
	void anUnprotectedToolIsToldNothingButTheToolContext(Mode mode) {
		Map<String, Object> context = Map.of("task_id", "t1", "tenant", "acme");
		this.model.rounds(balance("call_1"), balance("call_2"));
		ask(mode, tools(), (request) -> request.toolContext(context));
		assertThat(this.bank.received()).containsExactly(new McpBank.Received("balance", "u1", context),
				new McpBank.Received("balance", "u1", context));
		assertThat(rows()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void whatOneToolIsToldDoesNotReachTheOtherOfTheSameMessage(Mode mode) {
		this.model
			.rounds(calls(call("call_1", "transfer_money", TRANSFER), call("call_2", "balance", "{\"of\":\"u1\"}")));
		ask(mode, tools(), (request) -> request.toolContext(Map.of("task_id", "t1")));
		assertThat(this.bank.received()).extracting(McpBank.Received::tool, McpBank.Received::meta)
			.containsExactly(
					tuple("transfer-money",
							Map.of("request_id", "t1:call_1", "task_id", "t1", "tool_call_id", "call_1")),
					tuple("balance", Map.of("task_id", "t1")));
	}

	/**
	 * The tool context is one for all tools of a request, and the task id is part of it.
	 */
	@ParameterizedTest
	@EnumSource
	void aTaskIdThatWasMintedIsInTheToolContextOfEveryTool(Mode mode) {
		this.model.rounds(balance("call_1"));
		ask(mode, tools(), (request) -> {
		});
		assertThat(this.bank.received()).hasSize(1)
			.allSatisfy((received) -> assertThat(received.meta()).containsOnlyKeys("task_id"));
	}

	private ToolCallbackProvider tools() {
		return this.context.getBean("mcpToolCallbacks", ToolCallbackProvider.class);
	}

	private static AssistantMessage transfer(String id) {
		return calls(call(id, "transfer_money", TRANSFER));
	}

	private static AssistantMessage balance(String id) {
		return calls(call(id, "balance", "{\"of\":\"u1\"}"));
	}

}
