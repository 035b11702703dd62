package io.github.idem.operation;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.idem.Operation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a granted attempt: enter the tool, judge how it ended, write the outcome under the
 * claim's owner token. No lock, transaction or connection is held meanwhile.
 */
final class AttemptRunner {

	private static final Logger logger = LoggerFactory.getLogger(AttemptRunner.class);

	private final OperationStore store;

	private final LeaseKeeper leases;

	private final Waiting waiting;

	private final Duration lease;

	AttemptRunner(OperationStore store, LeaseKeeper leases, Waiting waiting, Duration lease) {
		this.store = store;
		this.leases = leases;
		this.waiting = waiting;
		this.lease = lease;
	}

	/**
	 * Run one attempt.
	 * @param askedAt when the claim was asked for, on the monotonic clock
	 */
	Answer run(Claim.Granted grant, long askedAt, ToolPolicy tool, IncomingCall call, String arguments, ToolBody body) {
		Waiting.Announcement announcement = this.waiting.announce(grant);
		Answer answer = Answer.Notice.inDoubt(grant.operation().requestId());
		try {
			answer = leaseStands(grant, askedAt) ? enterWithLease(grant, tool, call, arguments, body) : notEntered(
					grant, "The claim of this call took longer than its lease, so the tool was not entered.");
			return answer;
		}
		finally {
			announcement.end(answer);
		}
	}

	private Answer enterWithLease(Claim.Granted grant, ToolPolicy tool, IncomingCall call, String arguments,
			ToolBody body) {
		LeaseKeeper.Renewal renewal;
		try {
			renewal = this.leases.keep(grant);
		}
		catch (RejectedExecutionException ex) {
			return notEntered(grant, "The application is shutting down, so the tool was not entered.");
		}
		try {
			return enter(grant, tool, call, arguments, body);
		}
		finally {
			renewal.close();
		}
	}

	private Answer enter(Claim.Granted grant, ToolPolicy tool, IncomingCall call, String arguments, ToolBody body) {
		String result;
		try {
			result = new RunningCall(grant.operation(), call.toolCallId()).enter(body, arguments);
		}
		catch (Throwable thrown) {
			return judge(grant, tool, body, thrown);
		}
		settle(grant, "SUCCEEDED", () -> this.store.complete(grant, result));
		return new Answer.Result(grant.operation().requestId(), result, false);
	}

	private Answer judge(Claim.Granted grant, ToolPolicy tool, ToolBody body, Throwable thrown) {
		Operation operation = grant.operation();
		Throwable reason = body.reason(thrown);
		String error = FailureJudge.describe(reason);
		if (FailureJudge.notApplied(reason, tool) && !operation.mayHaveApplied()) {
			settle(grant, "FAILED", () -> this.store.fail(grant, error));
			return new Answer.Failed(operation.requestId(), error, thrown);
		}
		logger.warn("{}: {} may have taken effect in attempt {} and is in doubt, it ended with {}",
				operation.requestId(), operation.tool(), operation.attempt(), reason.getClass().getName());
		logger.debug("{}: how attempt {} ended", operation.requestId(), operation.attempt(), thrown);
		if (reason instanceof InterruptedException) {
			Thread.currentThread().interrupt();
		}
		settle(grant, "IN_DOUBT", () -> this.store.doubt(grant, error));
		if (thrown instanceof Error fatal) {
			throw fatal;
		}
		if (reason instanceof Error && thrown instanceof RuntimeException wrapping) {
			throw wrapping;
		}
		return Answer.Notice.inDoubt(operation.requestId());
	}

	/**
	 * A grant that was slow to come may be about to run out: it is renewed before the
	 * tool is entered.
	 */
	private boolean leaseStands(Claim.Granted grant, long askedAt) {
		return System.nanoTime() - askedAt < TimeUnit.NANOSECONDS.convert(this.lease) / 2
				|| this.store.renew(grant, this.lease);
	}

	private Answer notEntered(Claim.Granted grant, String error) {
		settle(grant, "FAILED", () -> this.store.fail(grant, error));
		return new Answer.Failed(grant.operation().requestId(), error, null);
	}

	/**
	 * Write an outcome. If that fails, however the store says so, the caller still gets
	 * the true outcome, and the row is put in doubt when its lease ends.
	 */
	private void settle(Claim.Granted grant, String outcome, Supplier<Settlement> write) {
		Operation operation = grant.operation();
		@Nullable Settlement settlement;
		try {
			settlement = write.get();
		}
		catch (RuntimeException ex) {
			logger.error("{}: {} ended {} but that could not be recorded; it will be in doubt when its lease ends",
					operation.requestId(), operation.tool(), outcome, ex);
			return;
		}
		if (settlement instanceof Settlement.Superseded superseded) {
			logger.error("{}: {} ended {} after its claim was lost and the record had become {}; kept as a discrepancy",
					operation.requestId(), operation.tool(), outcome, superseded.current().status());
		}
	}

}
