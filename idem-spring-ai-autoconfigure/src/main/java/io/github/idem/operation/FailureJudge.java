package io.github.idem.operation;

import io.github.idem.EffectNotAppliedException;

/**
 * Judges an attempt that ended with an exception. Only what the tool said counts as "not
 * applied"; an exception of unknown meaning may have come after the effect.
 */
final class FailureJudge {

	private FailureJudge() {
	}

	/**
	 * Whether the attempt definitely did not apply the effect and never will.
	 * @param reason what the tool itself threw; its causes don't count, since a tool may
	 * wrap the refusal of one step after another one took effect
	 */
	static boolean notApplied(Throwable reason, ToolPolicy tool) {
		return reason instanceof EffectNotAppliedException
				|| tool.notAppliedFor().stream().anyMatch((type) -> type.isInstance(reason));
	}

	/** A sentence about a failure, for the record and for those who wait for it. */
	static String describe(Throwable reason) {
		String message = reason.getMessage();
		return (message != null && !message.isBlank()) ? message : reason.getClass().getName();
	}

}
