package io.github.idem.operation;

import java.time.Duration;

import io.github.idem.Operation;
import org.jspecify.annotations.Nullable;

/** How one attempt ended, as it stands in the record. */
sealed interface Ended {

	/**
	 * There is nothing left to do for this call.
	 *
	 * @param answer what the caller gets
	 */
	record Over(Answer answer) implements Ended {
	}

	/**
	 * Nothing was applied, for a reason that may pass.
	 *
	 * @param operation the operation, FAILED
	 * @param answer what the caller gets if it is not tried again
	 * @param retryAfter how long downstream asks to wait; {@code null} if it does not say
	 */
	record Passing(Operation operation, Answer.Failed answer, @Nullable Duration retryAfter) implements Ended {
	}

	/**
	 * The effect may have been applied.
	 *
	 * @param operation the operation, IN_DOUBT
	 * @param retryAfter how long downstream asks to wait; {@code null} if it does not say
	 */
	record Doubtful(Operation operation, @Nullable Duration retryAfter) implements Ended {
	}

}
