package io.github.idem.jdbc;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** How often the store looks again after others were first. */
final class Rounds {

	static final int MAX = 100;

	private Rounds() {
	}

	/** The first looks cost nothing more; after that the others get time to finish. */
	static void backOff(int round) {
		if (round > 2) {
			LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1, 1 + Math.min(round, 20)) * 500_000L);
		}
	}

}
