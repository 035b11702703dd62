package io.github.idem.operation;

import java.util.Objects;

/**
 * One call as it arrived, before anything is known of it.
 *
 * @param taskId the task it belongs to, not blank
 * @param toolCallId the model's id of the call; empty if it gave none
 * @param arguments the arguments as the model sent them
 * @param position where in its tool loop the call stands
 */
public record IncomingCall(String taskId, String toolCallId, String arguments, LoopPosition position) {

	public IncomingCall {
		Objects.requireNonNull(taskId, "taskId");
		Objects.requireNonNull(toolCallId, "toolCallId");
		Objects.requireNonNull(arguments, "arguments");
		Objects.requireNonNull(position, "position");
	}

}
