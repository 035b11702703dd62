package io.github.idem.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import io.github.idem.operation.IdempotentExecutor;
import io.github.idem.operation.ToolPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

/**
 * Stands before a {@link ToolCallingManager}: the only place that sees the ids of the
 * calls in a message. Wraps the protected tools of each message and leaves a message
 * without any alone. Never mints a task id: an id for each round would split one run into
 * two tasks.
 */
final class IdempotentToolCallingManager implements ToolCallingManager {

	private final ToolCallingManager delegate;

	private final ToolPolicies policies;

	private final Supplier<IdempotentExecutor> executor;

	IdempotentToolCallingManager(ToolCallingManager delegate, ToolPolicies policies,
			Supplier<IdempotentExecutor> executor) {
		this.delegate = delegate;
		this.policies = policies;
		this.executor = executor;
	}

	@Override
	public List<ToolDefinition> resolveToolDefinitions(ToolCallingChatOptions chatOptions) {
		return this.delegate.resolveToolDefinitions(chatOptions);
	}

	@Override
	public ToolExecutionResult executeToolCalls(Prompt prompt, ChatResponse chatResponse) {
		AssistantMessage message = toolCalls(chatResponse);
		if (message == null || !(prompt.getOptions() instanceof ToolCallingChatOptions options)) {
			return this.delegate.executeToolCalls(prompt, chatResponse);
		}
		List<ToolCallback> callbacks = protect(options.getToolCallbacks(), prompt, message);
		if (callbacks == null) {
			return this.delegate.executeToolCalls(prompt, chatResponse);
		}
		ToolCallingChatOptions protecting = options.mutate().toolCallbacks(callbacks).build();
		return this.delegate.executeToolCalls(new Prompt(prompt.getInstructions(), protecting), chatResponse);
	}

	/**
	 * The same tools with the protected ones wrapped for this message, or {@code null} if
	 * none is protected.
	 */
	private @Nullable List<ToolCallback> protect(@Nullable List<ToolCallback> callbacks, Prompt prompt,
			AssistantMessage message) {
		if (callbacks == null) {
			return null;
		}
		ToolCallRound round = new ToolCallRound(prompt.getInstructions(), message);
		List<ToolCallback> wrapped = new ArrayList<>(callbacks.size());
		boolean any = false;
		for (ToolCallback callback : callbacks) {
			IdempotentToolCallback protecting = protect(callback);
			wrapped.add((protecting != null) ? protecting.in(round) : callback);
			any |= (protecting != null);
		}
		return any ? wrapped : null;
	}

	/**
	 * A tool that no advisor has wrapped is in a loop that began with its conversation.
	 */
	private @Nullable IdempotentToolCallback protect(ToolCallback callback) {
		if (callback instanceof IdempotentToolCallback wrapped) {
			return wrapped;
		}
		ToolPolicy policy = this.policies.find(callback);
		return (policy != null) ? new IdempotentToolCallback(callback, policy, this.executor, 0, null) : null;
	}

	private static @Nullable AssistantMessage toolCalls(ChatResponse chatResponse) {
		return chatResponse.getResults()
			.stream()
			.map(Generation::getOutput)
			.filter(AssistantMessage::hasToolCalls)
			.findFirst()
			.orElse(null);
	}

}
