package io.github.idem.recovery;

import java.time.Duration;

import io.github.idem.operation.Pauses;

import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/** Pauses that grow by a factor, each off by a random part, up to a longest one. */
public final class ExponentialPauses implements Pauses {

	private final ExponentialBackOff backOff;

	/**
	 * Create pauses.
	 * @param initial the first pause
	 * @param multiplier how much longer each is than the one before, at least 1
	 * @param jitter by how much of itself each is off at most, from 0 to 1
	 * @param longest none is longer
	 */
	public ExponentialPauses(Duration initial, double multiplier, double jitter, Duration longest) {
		if (initial.isNegative() || multiplier < 1 || jitter < 0 || jitter > 1) {
			throw new IllegalArgumentException(
					"pauses need a delay that is not negative, a multiplier of at least 1 and a jitter from 0 to 1, but have "
							+ initial + ", " + multiplier + " and " + jitter);
		}
		this.backOff = new ExponentialBackOff(Math.max(1, initial.toMillis()), multiplier);
		this.backOff.setJitter((long) (initial.toMillis() * jitter));
		this.backOff.setMaxInterval(Math.max(longest.toMillis(), Math.max(1, initial.toMillis())));
	}

	@Override
	public Sequence begin() {
		BackOffExecution execution = this.backOff.start();
		return () -> Duration.ofMillis(Math.max(0, execution.nextBackOff()));
	}

}
