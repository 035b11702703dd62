package io.github.idem.tool;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import reactor.core.publisher.Flux;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;

/**
 * A model that says what it is told to. Its answers depend on the conversation alone, so
 * the same request is answered the same way again. For what a real client refuses to pass
 * on, such as blank tool call ids in a stream; everything else also runs against the
 * OpenAI client over HTTP.
 */
final class ScriptedChatModel implements ChatModel {

	private final List<Prompt> prompts = Collections.synchronizedList(new ArrayList<>());

	private volatile Function<Prompt, AssistantMessage> script = (prompt) -> new AssistantMessage("nothing to do");

	/**
	 * Answer each round of a request with the next of these, then with a closing text.
	 */
	void rounds(AssistantMessage... rounds) {
		this.script = (prompt) -> {
			int round = (int) prompt.getInstructions().stream().filter(ToolResponseMessage.class::isInstance).count();
			return (round < rounds.length) ? rounds[round] : new AssistantMessage("done");
		};
	}

	void script(Function<Prompt, AssistantMessage> script) {
		this.script = script;
	}

	static AssistantMessage calls(AssistantMessage.ToolCall... calls) {
		return AssistantMessage.builder().content("").properties(Map.of()).toolCalls(List.of(calls)).build();
	}

	static AssistantMessage.ToolCall call(String id, String tool, String arguments) {
		return new AssistantMessage.ToolCall(id, "function", tool, arguments);
	}

	void forget() {
		this.prompts.clear();
		rounds();
	}

	/** The tool responses the model was shown last, in order. */
	List<ToolResponseMessage.ToolResponse> lastToolResponses() {
		return this.prompts.get(this.prompts.size() - 1)
			.getInstructions()
			.stream()
			.filter(ToolResponseMessage.class::isInstance)
			.map(ToolResponseMessage.class::cast)
			.flatMap((message) -> message.getResponses().stream())
			.toList();
	}

	/** All tool responses the model was ever shown, each once. */
	Set<ToolResponseMessage.ToolResponse> toolResponses() {
		return this.prompts.stream()
			.flatMap((prompt) -> prompt.getInstructions().stream())
			.filter(ToolResponseMessage.class::isInstance)
			.map(ToolResponseMessage.class::cast)
			.flatMap((message) -> message.getResponses().stream())
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	int timesCalled() {
		return this.prompts.size();
	}

	@Override
	public ChatResponse call(Prompt prompt) {
		this.prompts.add(prompt);
		return new ChatResponse(List.of(new Generation(this.script.apply(prompt))));
	}

	@Override
	public Flux<ChatResponse> stream(Prompt prompt) {
		return Flux.defer(() -> Flux.just(call(prompt)));
	}

	@Override
	public ChatOptions getOptions() {
		return ToolCallingChatOptions.builder().build();
	}

}
