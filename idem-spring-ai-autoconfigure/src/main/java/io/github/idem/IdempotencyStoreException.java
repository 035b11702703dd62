package io.github.idem;

import org.jspecify.annotations.Nullable;

/**
 * The store could not be read or written. Thrown for a claim, it means that the tool was
 * not entered.
 */
public class IdempotencyStoreException extends IdempotencyException {

	private static final long serialVersionUID = 1L;

	public IdempotencyStoreException(String message) {
		super(message);
	}

	public IdempotencyStoreException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
