package io.github.idem.operation;

import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the leases of running attempts at a quarter of their length, so that two
 * renewals may fail, and take their time to, before one runs out. One that has to wait
 * does not keep up the others. Stops at {@code maxRun}: a tool that hangs must not hold
 * its claim for ever.
 */
final class LeaseKeeper implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(LeaseKeeper.class);

	private static final int THREADS = 4;

	private final OperationStore store;

	private final Duration lease;

	private final Duration maxRun;

	private final ScheduledThreadPoolExecutor scheduler;

	LeaseKeeper(OperationStore store, Duration lease, Duration maxRun) {
		this.store = store;
		this.lease = lease;
		this.maxRun = maxRun;
		this.scheduler = new ScheduledThreadPoolExecutor(THREADS, (task) -> {
			Thread thread = new Thread(task, "idem-lease");
			thread.setDaemon(true);
			return thread;
		});
		this.scheduler.setRemoveOnCancelPolicy(true);
	}

	/**
	 * Keep the lease of a claim until the result is closed.
	 * @throws java.util.concurrent.RejectedExecutionException if no more leases are kept
	 */
	Renewal keep(Claim.Granted grant, RunningCall call) {
		Renewing renewing = new Renewing(grant, call, System.nanoTime() + TimeUnit.NANOSECONDS.convert(this.maxRun));
		long period = Math.max(1, TimeUnit.NANOSECONDS.convert(this.lease) / 4);
		ScheduledFuture<?> future = this.scheduler.scheduleWithFixedDelay(renewing, period, period,
				TimeUnit.NANOSECONDS);
		renewing.future = future;
		return () -> future.cancel(false);
	}

	@Override
	public void close() {
		this.scheduler.shutdownNow();
	}

	/** Ends when the attempt is over. */
	@FunctionalInterface
	interface Renewal {

		void close();

	}

	private final class Renewing implements Runnable {

		private final Claim.Granted grant;

		private final RunningCall call;

		private final long until;

		private volatile @Nullable ScheduledFuture<?> future;

		Renewing(Claim.Granted grant, RunningCall call, long until) {
			this.grant = grant;
			this.call = call;
			this.until = until;
		}

		@Override
		public void run() {
			if (System.nanoTime() - this.until >= 0) {
				logger.warn(
						"{}: {} runs longer than idem.max-run; its lease is no longer renewed and it will be in doubt",
						this.grant.operation().requestId(), this.grant.operation().tool());
				stop();
				return;
			}
			try {
				long askedAt = System.nanoTime();
				if (LeaseKeeper.this.store.renew(this.grant, LeaseKeeper.this.lease)) {
					this.call.renewed(RunningCall.leaseEnd(askedAt, LeaseKeeper.this.lease));
				}
				else {
					logger.warn(
							"{}: the claim of {} no longer stands; its outcome will be recorded if nobody else settled it",
							this.grant.operation().requestId(), this.grant.operation().tool());
					stop();
				}
			}
			catch (RuntimeException ex) {
				// Whatever it is, letting it out would end the renewals without a word.
				logger.warn("{}: the lease of {} could not be renewed, trying again",
						this.grant.operation().requestId(), this.grant.operation().tool(), ex);
			}
		}

		private void stop() {
			ScheduledFuture<?> scheduled = this.future;
			if (scheduled != null) {
				scheduled.cancel(false);
			}
		}

	}

}
