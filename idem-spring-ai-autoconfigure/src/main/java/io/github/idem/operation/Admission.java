package io.github.idem.operation;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.idem.IdempotencyException;

/** Which calls are under way, so that the application can end without cutting one off. */
final class Admission {

	private int underWay;

	private State state = State.OPEN;

	/**
	 * Do something, unless the application is shutting down. While it drains, what a
	 * running tool calls is part of what may finish.
	 * @throws IdempotencyException if it is; nothing was done
	 */
	<T> T during(String tool, Supplier<T> work) {
		enter(tool);
		try {
			return work.get();
		}
		finally {
			leave();
		}
	}

	private synchronized void enter(String tool) {
		boolean nested = RunningCall.ofThisThread().isPresent();
		if (this.state == State.CLOSED || (this.state == State.DRAINING && !nested)) {
			throw new IdempotencyException(
					"The application is shutting down, so '%s' was not entered and nothing was recorded. Call again after the restart."
						.formatted(tool));
		}
		this.underWay++;
	}

	private synchronized void leave() {
		this.underWay--;
		notifyAll();
	}

	synchronized void open() {
		if (this.state == State.DRAINING) {
			this.state = State.OPEN;
		}
	}

	synchronized void drain() {
		if (this.state == State.OPEN) {
			this.state = State.DRAINING;
		}
	}

	/** For good. */
	synchronized void close() {
		this.state = State.CLOSED;
	}

	/**
	 * Wait until nothing is under way.
	 * @return {@code false} if there still was something when the time was over
	 */
	synchronized boolean awaitEmpty(Duration patience) throws InterruptedException {
		long deadline = System.nanoTime() + patience.toNanos();
		for (long left = patience.toNanos(); this.underWay > 0 && left > 0; left = deadline - System.nanoTime()) {
			TimeUnit.NANOSECONDS.timedWait(this, left);
		}
		return this.underWay == 0;
	}

	private enum State {

		OPEN, DRAINING, CLOSED

	}

}
