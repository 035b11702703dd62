package io.github.idem.operation;

import io.github.idem.IdempotentCall;
import org.jspecify.annotations.Nullable;

/** The way into the tool: what the engine runs once it was granted an attempt. */
@FunctionalInterface
public interface ToolBody {

	/**
	 * Enter the tool.
	 * @param call the call as downstream knows it
	 * @param arguments the arguments to enter it with
	 * @return the tool's result
	 */
	@Nullable String run(IdempotentCall call, String arguments);

	/**
	 * Whether an attempt certainly failed before the tool's own method was entered, such
	 * as by a proxy that validates arguments or checks permissions.
	 * @param call the attempt
	 * @param thrown what came out of {@link #run}
	 * @return {@code true} only if that is certain
	 */
	default boolean neverEntered(RunningCall call, Throwable thrown) {
		return false;
	}

	/**
	 * What the tool itself threw, where the way in wraps it.
	 * @param thrown what came out of {@link #run}
	 * @return what to judge the attempt by
	 */
	default Throwable reason(Throwable thrown) {
		return thrown;
	}

}
