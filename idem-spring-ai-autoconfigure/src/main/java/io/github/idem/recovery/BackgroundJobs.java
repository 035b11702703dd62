package io.github.idem.recovery;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.github.idem.IdempotencyException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Runs what goes on when no caller is there, from time to time: leases that ran out are
 * put in doubt, then doubts that are due are looked at.
 */
public final class BackgroundJobs implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(BackgroundJobs.class);

	private static final int GRACE_SECONDS = 5;

	private final LeaseExpiry leases;

	private final DoubtRecovery doubts;

	private final Duration interval;

	private @Nullable ThreadPoolTaskScheduler scheduler;

	private @Nullable ExecutorService workers;

	/**
	 * Create the jobs.
	 * @param leases puts in doubt
	 * @param doubts finds out
	 * @param interval the pause between two looks
	 */
	public BackgroundJobs(LeaseExpiry leases, DoubtRecovery doubts, Duration interval) {
		if (interval.isNegative() || interval.isZero()) {
			throw new IllegalArgumentException("idem.recovery.interval must be positive, but is " + interval);
		}
		this.leases = leases;
		this.doubts = doubts;
		this.interval = interval;
	}

	/**
	 * A look does not wait for the one before: a tool that hangs there is put off for
	 * everybody, and the other tools are due all the same.
	 */
	private void look(ExecutorService executor) {
		try {
			this.leases.run();
			this.doubts.run(executor);
		}
		catch (IdempotencyException ex) {
			logger.warn("The record could not be looked through, trying again in {}", this.interval, ex);
		}
		catch (RuntimeException ex) {
			// Whatever it is, letting it out would end the looks without a word.
			logger.error("The record could not be looked through, trying again in {}", this.interval, ex);
		}
	}

	@Override
	public synchronized void start() {
		if (this.scheduler == null) {
			CustomizableThreadFactory threads = new CustomizableThreadFactory("idem-recovery-work-");
			threads.setDaemon(true);
			ExecutorService executor = Executors.newCachedThreadPool(threads);
			ThreadPoolTaskScheduler created = new ThreadPoolTaskScheduler();
			created.setThreadNamePrefix("idem-recovery-");
			created.setDaemon(true);
			created.setWaitForTasksToCompleteOnShutdown(true);
			created.setAwaitTerminationSeconds(GRACE_SECONDS);
			created.initialize();
			created.scheduleWithFixedDelay(() -> look(executor), this.interval);
			this.workers = executor;
			this.scheduler = created;
		}
	}

	/**
	 * A look, and a tool that was entered in the background, get a moment to come to its
	 * end.
	 */
	@Override
	public synchronized void stop() {
		if (this.scheduler != null && this.workers != null) {
			this.scheduler.shutdown();
			this.workers.shutdown();
			try {
				if (!this.workers.awaitTermination(GRACE_SECONDS, TimeUnit.SECONDS)) {
					this.workers.shutdownNow();
				}
			}
			catch (InterruptedException ex) {
				this.workers.shutdownNow();
				Thread.currentThread().interrupt();
			}
			this.scheduler = null;
			this.workers = null;
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.scheduler != null;
	}

}
