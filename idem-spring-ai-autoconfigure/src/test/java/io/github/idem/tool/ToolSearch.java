package io.github.idem.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.ToolCallback;

/** Brings tools into each iteration of its loop, as Spring AI's tool search does. */
final class ToolSearch extends ToolCallingAdvisor {

	private final List<ToolCallback> found;

	ToolSearch(ToolCallingManager manager, ToolCallback... found) {
		super(manager, DEFAULT_TOOL_EXECUTION_ELIGIBILITY_CHECKER, DEFAULT_ORDER, true);
		this.found = List.of(found);
	}

	@Override
	protected ChatClientRequest doBeforeCall(ChatClientRequest request, CallAdvisorChain chain) {
		return withTools(request, this.found);
	}

	@Override
	protected ChatClientRequest doBeforeStream(ChatClientRequest request, StreamAdvisorChain chain) {
		return withTools(request, this.found);
	}

	static ChatClientRequest withTools(ChatClientRequest request, List<ToolCallback> tools) {
		ToolCallingChatOptions options = (ToolCallingChatOptions) Objects.requireNonNull(request.prompt().getOptions());
		List<ToolCallback> callbacks = new ArrayList<>(
				Objects.requireNonNullElse(options.getToolCallbacks(), List.of()));
		tools.stream().filter((tool) -> !callbacks.contains(tool)).forEach(callbacks::add);
		ToolCallingChatOptions withTools = options.mutate().toolCallbacks(callbacks).build();
		return request.mutate().prompt(request.prompt().mutate().chatOptions(withTools).build()).build();
	}

}
