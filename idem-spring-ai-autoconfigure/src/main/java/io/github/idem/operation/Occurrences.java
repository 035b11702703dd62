package io.github.idem.operation;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.github.idem.InvalidArgumentsException;
import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import io.github.idem.identity.Arguments;
import io.github.idem.identity.CallIdentity;

/**
 * Finds out which of several equal calls a call is, for tools where a repeat is meant.
 * Counted from the conversation alone, so that a task that is replayed lines up again.
 */
final class Occurrences {

	private final OperationStore store;

	Occurrences(OperationStore store) {
		this.store = store;
	}

	/**
	 * Name the call's operation: its place among equal calls, but an earlier one that
	 * definitely failed is taken again, and one in doubt answers for all later ones.
	 */
	CallIdentity identify(ToolPolicy tool, IncomingCall call, Arguments arguments) {
		int place = place(tool, call, arguments.fingerprint());
		CallIdentity failed = null;
		for (int earlier = 1; earlier < place; earlier++) {
			CallIdentity identity = identity(tool, call, arguments, earlier);
			OperationStatus status = this.store.find(call.taskId(), tool.tool(), identity.dedupKey())
				.map(Operation::status)
				.orElse(null);
			if (status == OperationStatus.IN_DOUBT) {
				return identity;
			}
			if (status == OperationStatus.FAILED && failed == null) {
				failed = identity;
			}
		}
		return (failed != null) ? failed : identity(tool, call, arguments, place);
	}

	private static CallIdentity identity(ToolPolicy tool, IncomingCall call, Arguments arguments, int occurrence) {
		return CallIdentity.occurrence(call.taskId(), call.toolCallId(), tool.tool(), arguments.fingerprint(),
				occurrence);
	}

	/**
	 * Within one assistant message the same non-blank id and fingerprint is the same
	 * occurrence; otherwise the next.
	 */
	private static int place(ToolPolicy tool, IncomingCall call, String fingerprint) {
		List<LoopPosition.Call> calls = call.position().callsSoFar();
		Set<LoopPosition.Call> seen = new HashSet<>();
		int place = 0;
		for (LoopPosition.Call candidate : calls) {
			if (!fingerprint.equals(fingerprintOf(tool, candidate.arguments()))) {
				continue;
			}
			LoopPosition.Call label = new LoopPosition.Call(candidate.message(), candidate.toolCallId(), "");
			if (candidate.toolCallId().isBlank() || seen.add(label)) {
				place++;
			}
		}
		return Math.max(place, 1);
	}

	private static String fingerprintOf(ToolPolicy tool, String arguments) {
		try {
			return tool.schema().read(arguments, tool.ignoring()).fingerprint();
		}
		catch (InvalidArgumentsException ex) {
			return "";
		}
	}

}
