package io.github.idem.operation;

import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/** The tries that one caller has left. */
final class Tries {

	/** Nobody is kept waiting for longer because downstream asks for it. */
	private static final Duration LONGEST_RETRY_AFTER = Duration.ofSeconds(30);

	private final Pauses.Sequence pauses;

	private int left;

	Tries(EngineSettings.Tries settings) {
		this.pauses = settings.pauses().begin();
		this.left = settings.maxAttempts() - 1;
	}

	/**
	 * Wait for the next try.
	 * @param retryAfter wait at least so long; {@code null} for no matter
	 * @return how long was waited; empty if there is no try left, or no time for it, or
	 * the thread is interrupted, which it then still is
	 */
	Optional<Duration> next(@Nullable Duration retryAfter) {
		if (this.left <= 0 || (retryAfter != null && retryAfter.compareTo(LONGEST_RETRY_AFTER) > 0)) {
			return Optional.empty();
		}
		this.left--;
		Duration pause = this.pauses.next();
		Duration wait = (retryAfter != null && retryAfter.compareTo(pause) > 0) ? retryAfter : pause;
		return Sleep.whileWanted(wait) ? Optional.of(wait) : Optional.empty();
	}

}
