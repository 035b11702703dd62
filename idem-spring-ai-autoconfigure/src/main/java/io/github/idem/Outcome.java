package io.github.idem;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/** What downstream says of a request, asked by an {@link OutcomeProbe}. */
public sealed interface Outcome {

	/**
	 * The effect was applied. Conclusive: the operation has succeeded.
	 *
	 * @param result what every caller is given from now on, in the form the tool would
	 * have returned it; may be {@code null}
	 */
	record Applied(@Nullable String result) implements Outcome {
	}

	/**
	 * The effect was not applied and never will be: rejected, cancelled, tombstoned.
	 * Conclusive: the operation has failed, and a new call may claim it. Merely not
	 * having seen the request is {@link NotFound}, since it may still be on its way.
	 *
	 * @param reason why, in words for the record and the model
	 */
	record NotApplied(String reason) implements Outcome {

		public NotApplied {
			Objects.requireNonNull(reason, "reason");
		}

	}

	/**
	 * Downstream has not seen the request. Never taken for {@link NotApplied}: it may
	 * arrive yet.
	 */
	record NotFound() implements Outcome {
	}

	/** Downstream has the request and has not decided yet. */
	record Pending() implements Outcome {
	}

	/**
	 * The probe could not find out. Counts as {@link Pending}, as does an exception, and
	 * no answer within {@code idem.probe.timeout}.
	 *
	 * @param reason why not, for the record
	 */
	record Unknown(String reason) implements Outcome {

		public Unknown {
			Objects.requireNonNull(reason, "reason");
		}

	}

}
