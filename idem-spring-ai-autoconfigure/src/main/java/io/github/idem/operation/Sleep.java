package io.github.idem.operation;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Waiting for a time, with and without regard to interruption. */
final class Sleep {

	private Sleep() {
	}

	/**
	 * Wait, unless the thread is interrupted; its interruption stays.
	 * @return {@code false} if it was interrupted
	 */
	static boolean whileWanted(Duration pause) {
		try {
			TimeUnit.NANOSECONDS.sleep(pause.toNanos());
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	/**
	 * Wait the whole time. An interruption is taken off the thread, for the caller to
	 * give back.
	 * @return {@code false} if the thread was interrupted
	 */
	static boolean uninterrupted(Duration pause) {
		boolean interrupted = Thread.interrupted();
		long end = System.nanoTime() + pause.toNanos();
		for (long left = pause.toNanos(); left > 0; left = end - System.nanoTime()) {
			try {
				TimeUnit.NANOSECONDS.sleep(left);
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		return !interrupted;
	}

}
