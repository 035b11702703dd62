package io.github.idem.operation;

import io.github.idem.IdempotencyStoreException;

/** Somebody else holds what is to be written, in a transaction that has not ended yet. */
public final class ClaimBlockedException extends IdempotencyStoreException {

	private static final long serialVersionUID = 1L;

	/**
	 * Describe a write that had to wait for too long.
	 * @param message what was to be written
	 * @param cause what the database said
	 */
	public ClaimBlockedException(String message, Throwable cause) {
		super(message, cause);
	}

}
