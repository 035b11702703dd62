package io.github.idem.operation;

import org.jspecify.annotations.Nullable;

/**
 * What a tool makes of its arguments before the call is claimed: they are bound once, as
 * they will be when the tool is entered, and what is bound gives the business key.
 */
@FunctionalInterface
public interface CallBinder {

	/** For a tool that takes whatever comes and has no business key. */
	CallBinder NONE = (call, json) -> null;

	/**
	 * Bind a call's arguments.
	 * @param call the call
	 * @param json the arguments to enter the tool with
	 * @return the call's business key in readable form, never blank; {@code null} if the
	 * tool has none
	 * @throws io.github.idem.InvalidArgumentsException if the arguments do not bind, or
	 * give no business key where the tool has one; the message is written for the model
	 */
	@Nullable String bind(IncomingCall call, String json);

}
