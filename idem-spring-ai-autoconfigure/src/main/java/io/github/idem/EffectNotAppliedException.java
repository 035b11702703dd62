package io.github.idem;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a tool to say: nothing happened, and nothing will from this attempt. The
 * operation is recorded as FAILED, its message reaches the model as the tool's error, and
 * a later call may try again.
 */
public class EffectNotAppliedException extends IdempotencyException {

	private static final long serialVersionUID = 1L;

	public EffectNotAppliedException(String message) {
		super(message);
	}

	public EffectNotAppliedException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
