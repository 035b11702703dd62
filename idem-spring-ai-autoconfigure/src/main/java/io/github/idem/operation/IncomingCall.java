package io.github.idem.operation;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * One call as it arrived, before anything is known of it.
 *
 * @param taskId the task it belongs to, not blank
 * @param toolCallId the model's id of the call; empty if it gave none
 * @param conversationId the conversation it is part of; {@code null} if it is not known
 * @param arguments the arguments as the model sent them
 * @param toolContext what the application gave its tools, read-only
 * @param position where in its tool loop the call stands
 */
public record IncomingCall(String taskId, String toolCallId, @Nullable String conversationId, String arguments,
		Map<String, Object> toolContext, LoopPosition position) {

	public IncomingCall {
		Objects.requireNonNull(taskId, "taskId");
		Objects.requireNonNull(toolCallId, "toolCallId");
		Objects.requireNonNull(arguments, "arguments");
		toolContext = Collections.unmodifiableMap(toolContext);
		Objects.requireNonNull(position, "position");
	}

}
