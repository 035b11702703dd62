package io.github.idem.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.idem.MissingTaskIdException;
import org.junit.jupiter.api.Test;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.support.ToolCallbacks;

import static io.github.idem.tool.ScriptedChatModel.call;
import static io.github.idem.tool.ScriptedChatModel.calls;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** An application that drives the tools itself, with the manager bean and no advisor. */
abstract class UserWrittenLoopTest extends ToolCallTest {

	private static final String COFFEE = "{\"size\":\"small\"}";

	@Test
	void aReplanIsReplayed() {
		this.model.rounds(calls(call("a", "pay", "{\"user\":\"u1\",\"amount\":1}")),
				calls(call("b", "pay", "{\"amount\":1.0,\"user\":\"u1\"}")));
		loop(Map.of("task_id", "t1"), List.of());
		assertThat(this.payments.entered).singleElement().extracting(Payments.Entry::requestId).isEqualTo("t1:a");
	}

	@Test
	void repeatsThatAreMeantAreCountedFromTheConversationItHandsIn() {
		this.model.rounds(calls(call("a", "buyCoffee", COFFEE)),
				calls(call("a", "buyCoffee", COFFEE), call("b", "buyCoffee", COFFEE)));
		List<Message> conversation = loop(Map.of("task_id", "t1"), List.of());
		assertThat(this.payments.entered).hasSize(3);
		loop(Map.of("task_id", "t1"), List.of());
		assertThat(this.payments.entered).as("the same task from its beginning").hasSize(3);
		this.model.rounds(calls(call("a", "buyCoffee", COFFEE)), calls(call("b", "buyCoffee", COFFEE)),
				calls(call("c", "buyCoffee", COFFEE)));
		loop(Map.of("task_id", "t1"), conversation.subList(0, conversation.size() - 1));
		assertThat(this.payments.entered).as("the same task, continued").hasSize(4);
	}

	@Test
	void aRoundThatIsRepeatedWithTheSameConversationIsReplayed() {
		ToolCallingManager manager = this.context.getBean(ToolCallingManager.class);
		Prompt prompt = prompt(Map.of("task_id", "t1"), List.of(new UserMessage("please")));
		this.model.rounds(calls(call("a", "buyCoffee", COFFEE), call("b", "buyCoffee", COFFEE)));
		ChatResponse response = this.model.call(prompt);
		manager.executeToolCalls(prompt, response);
		manager.executeToolCalls(prompt, response);
		assertThat(this.payments.entered).hasSize(2);
	}

	@Test
	void withoutATaskIdAProtectedToolIsRefusedAndOneThatIsNotRuns() {
		this.model.rounds(calls(call("a", "pay", "{\"user\":\"u1\",\"amount\":1}")));
		assertThatExceptionOfType(MissingTaskIdException.class).isThrownBy(() -> loop(Map.of(), List.of()))
			.withMessageContaining("'pay'")
			.withMessageContaining("task_id");
		assertThat(this.payments.entered).isEmpty();
		assertThat(rows()).isZero();
		this.model.rounds(calls(call("a", "menu", "{}")));
		loop(Map.of("other", "context"), List.of());
		assertThat(this.payments.entered).hasSize(1);
	}

	private List<Message> loop(Map<String, Object> toolContext, List<Message> before) {
		ToolCallingManager manager = this.context.getBean(ToolCallingManager.class);
		List<Message> conversation = new ArrayList<>(before);
		if (conversation.isEmpty()) {
			conversation.add(new UserMessage("please"));
		}
		while (true) {
			Prompt prompt = prompt(toolContext, conversation);
			ChatResponse response = this.model.call(prompt);
			if (!response.hasToolCalls()) {
				AssistantMessage last = response.getResults().get(0).getOutput();
				conversation.add(last);
				return conversation;
			}
			conversation = new ArrayList<>(manager.executeToolCalls(prompt, response).conversationHistory());
		}
	}

	private Prompt prompt(Map<String, Object> toolContext, List<Message> conversation) {
		return new Prompt(conversation,
				ToolCallingChatOptions.builder()
					.toolCallbacks(ToolCallbacks.from(this.payments))
					.toolContext(toolContext)
					.build());
	}

}
