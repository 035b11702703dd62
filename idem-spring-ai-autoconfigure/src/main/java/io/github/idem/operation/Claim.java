package io.github.idem.operation;

import java.util.function.Function;

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
	 * Do what the claim allows. Stands for a {@code switch} without {@code default} over
	 * the cases, which the language has from Java 21 on: whoever adds a case has to say
	 * here, and in every use, what it means.
	 * @param <R> what comes of it
	 * @param granted run the attempt
	 * @param completed give the recorded result
	 * @param inProgress wait for whoever runs it
	 * @param inDoubt find out, or say that it is not known
	 * @param conflict refuse
	 * @return what came of it
	 */
	default <R> R match(Function<Granted, R> granted, Function<Completed, R> completed,
			Function<InProgress, R> inProgress, Function<InDoubt, R> inDoubt, Function<Conflict, R> conflict) {
		if (this instanceof Granted claim) {
			return granted.apply(claim);
		}
		if (this instanceof Completed claim) {
			return completed.apply(claim);
		}
		if (this instanceof InProgress claim) {
			return inProgress.apply(claim);
		}
		if (this instanceof InDoubt claim) {
			return inDoubt.apply(claim);
		}
		return conflict.apply((Conflict) this);
	}

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
