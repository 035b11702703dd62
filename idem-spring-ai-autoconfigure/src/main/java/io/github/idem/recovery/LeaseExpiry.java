package io.github.idem.recovery;

import java.time.Duration;

import io.github.idem.IdempotencyStoreException;
import io.github.idem.Operation;
import io.github.idem.operation.OperationStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Puts in doubt, from time to time, what was claimed by a process that no longer renews
 * its lease, so that a crash shows in the record even if nobody ever calls again. Time
 * alone never re-runs anything. Any number of nodes may do this at once.
 */
public final class LeaseExpiry implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(LeaseExpiry.class);

	private static final int BATCH = 100;

	private final OperationStore store;

	private final Duration interval;

	private @Nullable ThreadPoolTaskScheduler scheduler;

	/**
	 * Create the job.
	 * @param store where to look
	 * @param interval the pause between two looks
	 */
	public LeaseExpiry(OperationStore store, Duration interval) {
		if (interval.isNegative() || interval.isZero()) {
			throw new IllegalArgumentException("idem.recovery.interval must be positive, but is " + interval);
		}
		this.store = store;
		this.interval = interval;
	}

	/**
	 * Look once.
	 * @return how many operations were put in doubt
	 */
	public int run() {
		int total = 0;
		int found;
		do {
			found = 0;
			for (Operation operation : this.store.expireLeases(BATCH)) {
				logger.warn("{}: the process that ran {} (attempt {}) stopped renewing its lease; it is in doubt",
						operation.requestId(), operation.tool(), operation.attempt());
				found++;
			}
			total += found;
		}
		while (found == BATCH);
		return total;
	}

	private void runAndReport() {
		try {
			run();
		}
		catch (IdempotencyStoreException ex) {
			logger.warn("Expired leases could not be looked for, trying again in {}", this.interval, ex);
		}
	}

	@Override
	public synchronized void start() {
		if (this.scheduler == null) {
			ThreadPoolTaskScheduler created = new ThreadPoolTaskScheduler();
			created.setThreadNamePrefix("idem-recovery-");
			created.setDaemon(true);
			created.initialize();
			created.scheduleWithFixedDelay(this::runAndReport, this.interval);
			this.scheduler = created;
		}
	}

	@Override
	public synchronized void stop() {
		if (this.scheduler != null) {
			this.scheduler.shutdown();
			this.scheduler = null;
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.scheduler != null;
	}

}
