package io.github.idem.operation;

import java.time.Duration;
import java.util.Objects;

/**
 * What bounds the engine.
 *
 * @param timing how long claims stand and duplicates wait
 * @param retry attempts of one call
 * @param probe questions after one attempt, while the caller waits
 * @param probeTimeout how long one question may take
 * @param downstreamWindow for how long after the first claim downstream is trusted to
 * remember a request id
 * @param recordingPatience for how long an outcome that can't be written is tried again
 */
public record EngineSettings(IdempotentExecutor.Timing timing, Tries retry, Tries probe, Duration probeTimeout,
		Duration downstreamWindow, Duration recordingPatience) {

	public EngineSettings {
		Objects.requireNonNull(timing, "timing");
		Objects.requireNonNull(retry, "retry");
		Objects.requireNonNull(probe, "probe");
		if (probeTimeout.isNegative() || probeTimeout.isZero()) {
			throw new IllegalArgumentException("idem.probe.timeout must be positive, but is " + probeTimeout);
		}
		if (downstreamWindow.isNegative()) {
			throw new IllegalArgumentException(
					"idem.downstream-window must not be negative, but is " + downstreamWindow);
		}
		Objects.requireNonNull(recordingPatience, "recordingPatience");
	}

	/**
	 * A bounded number of tries.
	 *
	 * @param maxAttempts how many, the first included
	 * @param pauses how long to wait between them
	 */
	public record Tries(int maxAttempts, Pauses pauses) {

		public Tries {
			if (maxAttempts < 1) {
				throw new IllegalArgumentException("max-attempts must be at least 1, but is " + maxAttempts);
			}
			Objects.requireNonNull(pauses, "pauses");
		}

	}

}
