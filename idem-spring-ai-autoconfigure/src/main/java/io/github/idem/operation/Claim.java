package io.github.idem.operation;

import io.github.idem.Operation;

/**
 * What asking for an operation came to. Exactly one asker is granted an attempt; everyone
 * else learns where the operation stands.
 */
public sealed interface Claim {

	/**
	 * The operation as it stands after the claim.
	 * @return the operation
	 */
	Operation operation();

	/**
	 * The asker may run this attempt, and nobody else. Every later write of the attempt
	 * is fenced by the owner token.
	 *
	 * @param operation the operation, IN_PROGRESS
	 * @param owner the token of the claim
	 */
	record Granted(Operation operation, String owner) implements Claim {
	}

	/**
	 * The effect was applied before; its result is recorded.
	 *
	 * @param operation the operation, SUCCEEDED or COMPENSATED
	 */
	record Completed(Operation operation) implements Claim {
	}

	/**
	 * Somebody else holds a live claim.
	 *
	 * @param operation the operation, IN_PROGRESS or COMPENSATING
	 */
	record InProgress(Operation operation) implements Claim {
	}

	/**
	 * The effect may have been applied; nobody may run it.
	 *
	 * @param operation the operation, IN_DOUBT, or FAILED and disputed
	 */
	record InDoubt(Operation operation) implements Claim {
	}

	/**
	 * The business key belongs to an operation with other arguments.
	 *
	 * @param operation the operation that holds the key
	 */
	record Conflict(Operation operation) implements Claim {
	}

}
