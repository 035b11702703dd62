package io.github.idem.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;

import io.github.idem.tool.ToolCallTest.Mode;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.context.ConfigurableApplicationContext;

import static io.github.idem.tool.ScriptedChatModel.call;
import static io.github.idem.tool.ScriptedChatModel.calls;

/**
 * One visit through a {@link Door}, and what a door needs for it.
 *
 * @param context an application with idem
 * @param applications starts another one on the same database, with this model
 */
record Visit(Mode mode, ConfigurableApplicationContext context, ScriptedChatModel model, Till till,
		BiFunction<Class<?>, String[], ConfigurableApplicationContext> applications) {

	static final String ARGUMENTS = "{\"user\":\"u1\",\"amount\":29.9}";

	static final String REWRITTEN = "{\"amount\":2.990e1, \"user\":\"u1\"}";

	/** The model asks for the tool, and once more when it has the answer. */
	void replans(String tool) {
		this.model.rounds(calls(call("call_1", tool, ARGUMENTS)), calls(call("call_2", tool, REWRITTEN)));
	}

	/** The model asks for the tool once in each request, under a new id. */
	void replansInTheNextRequest() {
		AtomicInteger requests = new AtomicInteger();
		this.model.script((prompt) -> prompt.getInstructions().stream().anyMatch(ToolResponseMessage.class::isInstance)
				? new AssistantMessage("done") : nextCall(requests.incrementAndGet()));
	}

	/** The model re-plans and then closes with this. */
	void replansAndSays(String closing) {
		this.model.rounds(nextCall(1), nextCall(2), new AssistantMessage(closing));
	}

	/** The model says one after the other, whatever it is asked. */
	void says(AssistantMessage... messages) {
		AtomicInteger next = new AtomicInteger();
		this.model.script((prompt) -> messages[next.getAndIncrement()]);
	}

	static AssistantMessage nextCall(int number) {
		return calls(call("call_" + number, "pay", (number == 1) ? ARGUMENTS : REWRITTEN));
	}

	Visit in(Class<?> configuration, String... properties) {
		return new Visit(this.mode, this.applications.apply(configuration, properties), this.model, this.till,
				this.applications);
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	ChatClient.Builder builder() {
		return bean(ChatClient.Builder.class);
	}

	ChatClient client() {
		return builder().build();
	}

	Map<String, Object> toolContext() {
		return Map.of("task_id", "t1", Till.KEY, this.till);
	}

	String ask(ChatClient client, Object... tools) {
		return ask(client.prompt("please").tools(tools));
	}

	String ask(ChatClient.ChatClientRequestSpec request) {
		request.toolContext(toolContext());
		if (this.mode == Mode.CALL) {
			return String.valueOf(request.call().content());
		}
		List<String> parts = request.stream().content().collectList().block();
		return String.join("", (parts != null) ? parts : List.of());
	}

	/** A tool loop as an application may write it. */
	void loop(ToolCallingManager manager, ToolCallback... tools) {
		List<Message> conversation = List.of(new UserMessage("please"));
		while (true) {
			Prompt prompt = new Prompt(new ArrayList<>(conversation),
					ToolCallingChatOptions.builder().toolCallbacks(tools).toolContext(toolContext()).build());
			ChatResponse response = this.model.call(prompt);
			if (!response.hasToolCalls()) {
				return;
			}
			conversation = manager.executeToolCalls(prompt, response).conversationHistory();
		}
	}

}
