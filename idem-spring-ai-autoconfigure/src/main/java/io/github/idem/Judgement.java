package io.github.idem;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/** What an attempt came to. */
public sealed interface Judgement {

	/** The effect was applied; what was returned is the result. */
	record Applied() implements Judgement {
	}

	/**
	 * The attempt definitely did not apply the effect and never will.
	 *
	 * @param reason why, in words for the record and the model
	 * @param passing whether the same attempt may succeed a little later, so that it is
	 * made again at once, a bounded number of times
	 * @param retryAfter how long downstream asks to wait first; {@code null} if it does
	 * not say
	 */
	record NotApplied(String reason, boolean passing, @Nullable Duration retryAfter) implements Judgement {

		public NotApplied {
			Objects.requireNonNull(reason, "reason");
		}

		/**
		 * A refusal that stands.
		 * @param reason why
		 */
		public NotApplied(String reason) {
			this(reason, false, null);
		}

	}

	/**
	 * The effect may have been applied. The safe answer wherever it is not known.
	 *
	 * @param reason what is known, for the record
	 */
	record MayHaveApplied(String reason) implements Judgement {

		public MayHaveApplied {
			Objects.requireNonNull(reason, "reason");
		}

	}

}
