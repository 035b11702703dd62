package io.github.idem;

import org.jspecify.annotations.Nullable;

/**
 * Base of what idem throws. Messages name what happened, the tool, the request id and the
 * remedy; never arguments or results.
 */
public class IdempotencyException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	public IdempotencyException(String message) {
		super(message);
	}

	public IdempotencyException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
