package io.github.idem.operation;

import java.util.Objects;
import java.util.function.Function;

import io.github.idem.Operation;
import org.jspecify.annotations.Nullable;

/** What the caller of a protected tool gets. */
public sealed interface Answer {

	/**
	 * Pass the answer on; see {@link Claim#match}.
	 * @param <R> what comes of it
	 * @param result give the result
	 * @param notice tell the model what to do instead
	 * @param failed report the failure
	 * @return what came of it
	 */
	default <R extends @Nullable Object> R match(Function<Result, R> result, Function<Notice, R> notice,
			Function<Failed, R> failed) {
		if (this instanceof Result answer) {
			return result.apply(answer);
		}
		if (this instanceof Notice answer) {
			return notice.apply(answer);
		}
		return failed.apply((Failed) this);
	}

	/**
	 * What an operation has to say to one who does not hold its claim.
	 * @param operation the operation as it stands
	 * @return the answer
	 */
	static Answer standing(Operation operation) {
		String requestId = operation.requestId();
		return switch (operation.status()) {
			case SUCCEEDED, COMPENSATED -> new Result(requestId, operation.result(), true);
			case IN_PROGRESS, COMPENSATING -> Notice.inProgress(requestId);
			case IN_DOUBT -> Notice.inDoubt(requestId);
			case FAILED -> operation.mayHaveApplied() ? Notice.inDoubt(requestId) : new Failed(requestId,
					Objects.requireNonNullElse(operation.error(), "The call failed and took no effect."), null);
		};
	}

	/**
	 * The result of the effect, byte for byte what the tool returned the first time.
	 *
	 * @param requestId the operation's request id
	 * @param text the tool's result
	 * @param replayed whether it was read from the record instead of made now
	 */
	record Result(String requestId, @Nullable String text, boolean replayed) implements Answer {
	}

	/**
	 * There is no result to give; the message tells the model what to do instead.
	 *
	 * @param status why there is none
	 * @param requestId the operation's request id
	 * @param message what to do, in words for the model
	 */
	record Notice(Status status, String requestId, String message) implements Answer {

		/** The name under which a notice stands in the JSON that the model reads. */
		public static final String FIELD = "idempotency";

		/** Why a call has no result. */
		public enum Status {

			/** The call is running elsewhere. */
			IN_PROGRESS,

			/** The effect may have happened. */
			IN_DOUBT,

			/** The business key belongs to a call with other arguments. */
			CONFLICT,

			/** The effect was applied by an earlier call. */
			ALREADY_DONE

		}

		static Notice inProgress(String requestId) {
			return new Notice(Status.IN_PROGRESS, requestId,
					"This call is still being carried out. Wait for it to finish and do not call the tool again for it.");
		}

		static Notice inDoubt(String requestId) {
			return new Notice(Status.IN_DOUBT, requestId,
					"It is not known whether this call took effect, so it was not carried out again. Do not call the tool"
							+ " again for it, in any wording: a person will look into it. Say so to the user.");
		}

		static Notice conflict(String requestId) {
			return new Notice(Status.CONFLICT, requestId,
					"An earlier call used the same key with other arguments, so nothing was done now. Do not call the tool"
							+ " again with this key: check which of the two calls is meant.");
		}

		static Notice alreadyDone(String requestId) {
			return new Notice(Status.ALREADY_DONE, requestId,
					"This was already done earlier in this task and was not done again. Do not call the tool again for it.");
		}

	}

	/**
	 * The attempt definitely did not apply the effect.
	 *
	 * @param requestId the operation's request id
	 * @param error what it failed with, in words for the model
	 * @param thrown what the tool threw; {@code null} if that happened in another process
	 */
	record Failed(String requestId, String error, @Nullable Throwable thrown) implements Answer {
	}

}
