package io.github.idem.tool;

import java.util.Map;
import java.util.function.Consumer;

import io.github.idem.IdempotencyException;
import io.github.idem.IdempotentTools;
import io.github.idem.testing.H2Files;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.ai.chat.client.AdvisorParams;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.core.Ordered;

import static io.github.idem.tool.ScriptedChatModel.call;
import static io.github.idem.tool.ScriptedChatModel.calls;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A tool loop that begins before our advisor has taken the tools as they were. */
class LoopBeforeOursTest extends ToolCallTest {

	private static final String ONE = "{\"user\":\"u1\",\"amount\":1}";

	@Override
	Map<String, Object> database() {
		return Map.of("spring.datasource.url", H2Files.newDatabase());
	}

	@ParameterizedTest
	@EnumSource
	void aToolAdvisorThatStandsBeforeOursIsRefusedWithTheRemedy(Mode mode) {
		refused(mode, (request) -> request.advisors(before()));
	}

	@ParameterizedTest
	@EnumSource
	void itIsRefusedAlsoWhereNoneIsRegisteredAutomatically(Mode mode) {
		refused(mode,
				(request) -> request.advisors(before()).advisors(AdvisorParams.toolCallingAdvisorAutoRegister(false)));
	}

	@ParameterizedTest
	@EnumSource
	void itIsRefusedAlsoWhereAnAdvisorRepeatsTheRequest(Mode mode) {
		refused(mode, (request) -> request.advisors(before(), new Repeating(Ordered.HIGHEST_PRECEDENCE + 50))
			.advisors(AdvisorParams.toolCallingAdvisorAutoRegister(false)));
	}

	@ParameterizedTest
	@EnumSource
	void anAutomaticToolAdvisorThatStandsBeforeOursIsRefusedToo(Mode mode) {
		ChatClient.Builder builder = ChatClient.builder(this.model);
		new IdempotentAdvisors(null, false, this.context.getBean(ToolProtection.class), 5000).customize(builder);
		this.model.rounds(calls(call("a", "pay", ONE)));
		ChatClient.ChatClientRequestSpec request = builder.build().prompt("please").tools(this.payments);
		assertThatExceptionOfType(IdempotencyException.class).isThrownBy(() -> content(mode, request))
			.withMessageContaining(".advisorOrder(5000)")
			.withMessageContaining("spring.ai.chat.client.tool-calling.advisor-order");
		assertThat(this.payments.entered).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void toolsThatNeedNoAdvisorAreNotRefused(Mode mode) {
		this.model.rounds(calls(call("a", "menu", "{}")));
		ask(mode, new MenuOnly(), (request) -> request.advisors(before()));
		assertThat(this.model.lastToolResponses()).hasSize(1);
	}

	@ParameterizedTest
	@EnumSource
	void toolsThatWereWrappedByHandAreNotRefusedAndRunOnce(Mode mode) {
		this.model.rounds(calls(call("a", "pay", ONE)), calls(call("b", "pay", ONE)));
		ask(mode, IdempotentTools.wrap(ToolCallbacks.from(this.payments)),
				(request) -> request.toolContext(Map.of("task_id", "t1")).advisors(before()));
		assertThat(this.payments.entered).hasSize(1);
	}

	@ParameterizedTest
	@EnumSource
	void aClientWhoseApplicationDrivesTheToolsIsNotRefused(Mode mode) {
		String said = ask(mode, (request) -> request.advisors(AdvisorParams.toolCallingAdvisorAutoRegister(false)));
		assertThat(said).isEqualTo("done");
	}

	@ParameterizedTest
	@EnumSource
	void norIsOneWithAnAdvisorThatRepeatsTheRequest(Mode mode) {
		String said = ask(mode, (request) -> request.advisors(new Repeating(Ordered.HIGHEST_PRECEDENCE + 50))
			.advisors(AdvisorParams.toolCallingAdvisorAutoRegister(false)));
		assertThat(said).isEqualTo("done");
	}

	private void refused(Mode mode, Consumer<ChatClient.ChatClientRequestSpec> customizer) {
		this.model.rounds(calls(call("a", "pay", ONE)), calls(call("b", "pay", ONE)));
		assertThatExceptionOfType(IdempotencyException.class).isThrownBy(() -> ask(mode, customizer))
			.withMessageContaining("stands before idem's advisor")
			.withMessageContaining(".advisorOrder(" + ToolCallingAdvisor.DEFAULT_ORDER + ")")
			.withMessageMatching("[^\\t\\n]+");
		assertThat(this.payments.entered).isEmpty();
		assertThat(this.model.timesCalled()).isZero();
	}

	private static Object content(Mode mode, ChatClient.ChatClientRequestSpec request) {
		return (mode == Mode.CALL) ? request.call().content() : request.stream().content().blockLast();
	}

	private static ToolCallingAdvisor before() {
		return ToolCallingAdvisor.builder()
			.toolCallingManager(ToolCallingManager.builder().build())
			.advisorOrder(Ordered.HIGHEST_PRECEDENCE + 100)
			.build();
	}

	static class MenuOnly {

		@Tool(description = "Reads the menu")
		String menu() {
			return "espresso";
		}

	}

}
