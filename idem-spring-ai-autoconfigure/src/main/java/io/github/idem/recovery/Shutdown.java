package io.github.idem.recovery;

import java.time.Duration;

import io.github.idem.operation.IdempotentExecutor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Drains the engine when the application ends, before anything else is stopped: no call
 * is taken any more, and those under way may finish within the grace period of the
 * lifecycle. Nothing is released: what does not finish is found by its lease. An
 * application that was only stopped, paused or saved takes calls again when it is
 * started.
 */
public final class Shutdown implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(Shutdown.class);

	private static final Duration LONGEST = Duration.ofMinutes(10);

	private final IdempotentExecutor executor;

	private volatile boolean running;

	/**
	 * Create the lifecycle.
	 * @param executor the engine
	 */
	public Shutdown(IdempotentExecutor executor) {
		this.executor = executor;
	}

	@Override
	public void start() {
		this.executor.open();
		this.running = true;
	}

	@Override
	public void stop() {
		this.executor.drain();
		this.running = false;
	}

	/** Spring waits for the callback no longer than its grace period. */
	@Override
	public void stop(Runnable callback) {
		stop();
		Thread waiting = new Thread(() -> {
			try {
				if (!this.executor.awaitDrained(LONGEST)) {
					logger.warn("Calls were still under way at shutdown; their leases will tell");
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			finally {
				callback.run();
			}
		}, "idem-drain");
		waiting.setDaemon(true);
		waiting.start();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return DEFAULT_PHASE;
	}

}
