package io.github.idem.operation;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Something that was done to find out, or to try again, and that by itself changed no
 * state. Kept beside the audit trail.
 *
 * @param kind what was done
 * @param waited how long was waited before it
 * @param reason why
 * @param outcome what came of it; {@code null} if that shows in the audit trail
 */
public record Check(Kind kind, Duration waited, String reason, @Nullable String outcome) {

	public Check {
		Objects.requireNonNull(kind, "kind");
		Objects.requireNonNull(waited, "waited");
		Objects.requireNonNull(reason, "reason");
	}

	/** What can be done. */
	public enum Kind {

		/** Downstream was asked. */
		PROBE,

		/** An attempt that did nothing was made again. */
		RETRY,

		/** An attempt that may have applied the effect was made again under its id. */
		RESEND,

		/** It is not made again for now: downstream asked to wait. */
		PUT_OFF,

		/** Nothing was left to ask: a person was asked for. */
		PERSON

	}

}
