package io.github.idem.operation;

import java.util.List;

/**
 * Where a call stands in its tool loop. Read only for tools where a repeat is meant.
 */
@FunctionalInterface
public interface LoopPosition {

	/** A call that is not known to follow any other. */
	LoopPosition FIRST = List::of;

	/**
	 * The calls of the same tool that the loop asked for, from its start up to and
	 * including this one. An empty list stands for this call alone.
	 * @return the calls, in order, the last one being this call
	 */
	List<Call> callsSoFar();

	/**
	 * A call as it stands in an assistant message.
	 *
	 * @param message which assistant message of the loop, in order
	 * @param toolCallId the model's id; empty if it gave none
	 * @param arguments the arguments as the model sent them
	 */
	record Call(int message, String toolCallId, String arguments) {
	}

}
