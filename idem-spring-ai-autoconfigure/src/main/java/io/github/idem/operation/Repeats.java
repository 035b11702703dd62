package io.github.idem.operation;

import io.github.idem.Duplicates;
import io.github.idem.Operation;

/** What repeated calls are told. */
final class Repeats {

	private Repeats() {
	}

	/**
	 * What a repeated call is told. The very same call always gets its result; a re-plan
	 * does not where the tool rejects those.
	 * @param operation the operation it repeats
	 * @param answer what the operation says
	 * @param prepared the call
	 * @return what the caller gets
	 */
	static Answer repeated(Operation operation, Answer answer, PreparedCall prepared) {
		IncomingCall call = prepared.incoming();
		boolean sameCall = !call.toolCallId().isBlank() && call.toolCallId().equals(operation.toolCallId())
				&& call.taskId().equals(operation.taskId());
		boolean rejected = prepared.tool().duplicates() == Duplicates.REJECT && !sameCall;
		return (rejected && answer instanceof Answer.Result) ? Answer.Notice.alreadyDone(operation.requestId())
				: answer;
	}

}
