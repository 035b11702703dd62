package io.github.idem.tool;

import java.util.List;
import java.util.Map;

import io.github.idem.EffectNotAppliedException;
import io.github.idem.InvalidArgumentsException;
import io.github.idem.MissingTaskIdException;
import io.github.idem.operation.Answer;
import io.github.idem.operation.IdempotentExecutor;
import io.github.idem.operation.IncomingCall;
import io.github.idem.operation.ToolPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.ai.tool.metadata.ToolMetadata;
import org.springframework.util.StringUtils;

/**
 * A protected tool: the same to the model, but every call of it goes through the engine.
 */
final class IdempotentToolCallback implements ToolCallback {

	private final ToolCallback delegate;

	private final Application application;

	private final ToolLoop loop;

	private final @Nullable ToolCallRound round;

	/**
	 * Wrap a tool.
	 * @param application what protects it
	 * @param loop the tool loop it will be called in
	 * @param round the message whose calls are being made; {@code null} for the one the
	 * loop observed last
	 */
	IdempotentToolCallback(ToolCallback delegate, Application application, ToolLoop loop,
			@Nullable ToolCallRound round) {
		this.delegate = delegate;
		this.application = application;
		this.loop = loop;
		this.round = round;
	}

	/** The same tool, for the calls of another loop. */
	IdempotentToolCallback in(ToolLoop other) {
		return new IdempotentToolCallback(this.delegate, this.application, other, null);
	}

	/** The same tool, for the calls of one message. */
	IdempotentToolCallback in(List<Message> conversation, AssistantMessage message) {
		return new IdempotentToolCallback(this.delegate, this.application, this.loop,
				this.loop.round(conversation, message));
	}

	/** A client of an application is about to offer it to a model. */
	void offeredBy(ToolProtection client) {
		this.application.offeredBy(client);
	}

	@Override
	public ToolDefinition getToolDefinition() {
		return this.delegate.getToolDefinition();
	}

	@Override
	public ToolMetadata getToolMetadata() {
		return this.delegate.getToolMetadata();
	}

	@Override
	public String call(String toolInput) {
		return call(toolInput, null);
	}

	@Override
	@SuppressWarnings("NullAway") // a tool may return null; managers make it an empty
									// text
	public String call(String toolInput, @Nullable ToolContext toolContext) {
		Map<String, Object> context = (toolContext != null) ? toolContext.getContext() : Map.of();
		String taskId = TaskIds.read(context, "tool context");
		if (taskId == null) {
			throw new MissingTaskIdException(
					"""
							Tool '%s' is protected but its call belongs to no task, so it was not entered. Build the ChatClient from \
							the auto-configured ChatClient.Builder, or name the task with .toolContext(Map.of("task_id", id))."""
						.formatted(getToolDefinition().name()));
		}
		String arguments = StringUtils.hasText(toolInput) ? toolInput : "{}";
		ToolCallRound.Slot slot = slot(arguments);
		IncomingCall call = new IncomingCall(taskId, slot.toolCallId(), conversationId(context), arguments, context,
				slot.position());
		try {
			return this.application.executor()
				.execute(this.application.policy(), call, new ToolEntry(this.delegate, context))
				.match(Answer.Result::text, NoticeText::of, (failed) -> {
					slot.declined().run();
					throw thrown(failed);
				});
		}
		catch (InvalidArgumentsException ex) {
			throw new ToolExecutionException(getToolDefinition(), ex);
		}
	}

	/** The conversation this call is part of, as far as anything tells. */
	private @Nullable String conversationId(Map<String, Object> context) {
		String known = this.loop.conversationId();
		return (known != null) ? known : ToolLoop.conversationId(context);
	}

	/**
	 * The place of this call among those the model asked for, as far as anything tells.
	 */
	private ToolCallRound.Slot slot(String arguments) {
		ToolCallRound current = (this.round != null) ? this.round : this.loop.latest();
		if (current == null) {
			current = ToolCallRound.current();
		}
		return (current != null) ? current.take(getToolDefinition().name(), arguments) : ToolCallRound.Slot.UNKNOWN;
	}

	/**
	 * A definite failure goes the way of every tool error, so that the application's
	 * exception processor still decides what the model sees of it.
	 */
	private RuntimeException thrown(Answer.Failed failed) {
		return (failed.thrown() instanceof RuntimeException thrown) ? thrown : new ToolExecutionException(
				getToolDefinition(), new EffectNotAppliedException(failed.error(), failed.thrown()));
	}

	/** Tools are kept in sets: however often a tool is wrapped, it is the same tool. */
	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof IdempotentToolCallback wrapped && this.delegate.equals(wrapped.delegate);
	}

	@Override
	public int hashCode() {
		return this.delegate.hashCode();
	}

	/** What protects a tool. */
	interface Application {

		/** How. */
		ToolPolicy policy();

		/** The engine its calls go through. */
		IdempotentExecutor executor();

		/** Another application offers the tool; matters only to one that has none. */
		default void offeredBy(ToolProtection client) {
		}

	}

}
