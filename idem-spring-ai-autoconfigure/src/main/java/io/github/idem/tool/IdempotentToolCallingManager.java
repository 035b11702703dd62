package io.github.idem.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatResponse;
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

	private final ToolProtection protection;

	IdempotentToolCallingManager(ToolCallingManager delegate, ToolProtection protection) {
		this.delegate = delegate;
		this.protection = protection;
	}

	@Override
	public List<ToolDefinition> resolveToolDefinitions(ToolCallingChatOptions chatOptions) {
		return this.delegate.resolveToolDefinitions(chatOptions);
	}

	@Override
	public ToolExecutionResult executeToolCalls(Prompt prompt, ChatResponse chatResponse) {
		AssistantMessage message = ToolCallRound.messageWithToolCalls(chatResponse);
		if (message == null) {
			return this.delegate.executeToolCalls(prompt, chatResponse);
		}
		List<ToolCallback> callbacks = callbacks(prompt);
		Prompt protecting = protect(prompt, callbacks, message);
		Supplier<ToolExecutionResult> execution = () -> this.delegate.executeToolCalls(protecting, chatResponse);
		return namesAll(callbacks, message) ? execution.get()
				: new ToolLoop(0, null).round(prompt.getInstructions(), message).run(execution);
	}

	private static List<ToolCallback> callbacks(Prompt prompt) {
		return (prompt.getOptions() instanceof ToolCallingChatOptions options && options.getToolCallbacks() != null)
				? options.getToolCallbacks() : List.of();
	}

	/** Whether the manager need not look for any tool by itself. */
	private static boolean namesAll(List<ToolCallback> callbacks, AssistantMessage message) {
		for (AssistantMessage.ToolCall call : message.getToolCalls()) {
			if (!names(callbacks, call)) {
				return false;
			}
		}
		return true;
	}

	private static boolean names(List<ToolCallback> callbacks, AssistantMessage.ToolCall call) {
		for (ToolCallback callback : callbacks) {
			if (callback.getToolDefinition().name().equals(call.name())) {
				return true;
			}
		}
		return false;
	}

	/**
	 * The same prompt with the protected tools wrapped for this message, if there are
	 * any.
	 */
	private Prompt protect(Prompt prompt, List<ToolCallback> callbacks, AssistantMessage message) {
		List<ToolCallback> wrapped = null;
		for (int index = 0; index < callbacks.size(); index++) {
			IdempotentToolCallback protecting = protect(callbacks.get(index));
			if (protecting != null) {
				wrapped = (wrapped != null) ? wrapped : new ArrayList<>(callbacks);
				wrapped.set(index, protecting.in(prompt.getInstructions(), message));
			}
		}
		return (wrapped != null && prompt.getOptions() instanceof ToolCallingChatOptions options)
				? new Prompt(prompt.getInstructions(), options.mutate().toolCallbacks(wrapped).build()) : prompt;
	}

	/**
	 * A tool that no advisor has wrapped is in a loop that began with its conversation.
	 */
	private @Nullable IdempotentToolCallback protect(ToolCallback callback) {
		return (callback instanceof IdempotentToolCallback wrapped) ? wrapped
				: this.protection.protect(callback, () -> new ToolLoop(0, null));
	}

}
