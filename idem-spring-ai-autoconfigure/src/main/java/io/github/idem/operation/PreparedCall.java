package io.github.idem.operation;

import java.time.Duration;
import java.util.UUID;

import io.github.idem.Operation;
import io.github.idem.identity.CallIdentity;
import org.jspecify.annotations.Nullable;

/**
 * A call that was read, bound and identified, and can be claimed any number of times.
 *
 * @param tool the tool and its settings
 * @param incoming the call as it arrived
 * @param identity which operation it is
 * @param businessKey its business key, if the tool has one
 * @param arguments the arguments to enter the tool with
 * @param body the way into the tool
 */
record PreparedCall(ToolPolicy tool, IncomingCall incoming, CallIdentity identity, @Nullable String businessKey,
		String arguments, ToolBody body) {

	/** Ask for the operation with a token that no other claim carries. */
	ClaimRequest request(Duration lease) {
		return new ClaimRequest(this.identity, this.businessKey, this.incoming.conversationId(),
				this.tool.effect().downstream(), this.incoming.arguments(), UUID.randomUUID().toString(), lease);
	}

	/** What is said of a call that nobody wants any more. */
	String interrupted() {
		return "The thread that called '%s' is interrupted, so the tool was not entered and nothing was done. The same call may be made again."
			.formatted(this.tool.tool());
	}

	/**
	 * The arguments the operation was first called with: downstream must see the same
	 * request again, also where an ignored argument is worded differently now.
	 */
	String argumentsOf(Operation operation) {
		String recorded = operation.arguments();
		return (recorded != null) ? this.tool.schema().read(recorded, this.tool.ignoring()).json() : this.arguments;
	}

}
