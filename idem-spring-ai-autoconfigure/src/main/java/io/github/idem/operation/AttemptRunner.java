package io.github.idem.operation;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import io.github.idem.Judgement;
import io.github.idem.Operation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one granted attempt: enter the tool, judge how it ended, write the outcome under
 * the claim's owner token. No lock, transaction or connection is held meanwhile.
 */
final class AttemptRunner {

	private static final Logger logger = LoggerFactory.getLogger(AttemptRunner.class);

	private static final int LONGEST_BEGINNING = 2000;

	private final OperationStore store;

	private final LeaseKeeper leases;

	private final Judge judge;

	private final OutcomeRecorder recorder;

	private final EngineHooks.CallerTransaction callerTransaction;

	private final Duration lease;

	AttemptRunner(OperationStore store, LeaseKeeper leases, EngineSettings settings, EngineHooks hooks) {
		this.store = store;
		this.leases = leases;
		this.judge = new Judge(hooks);
		this.recorder = new OutcomeRecorder(settings.recordingPatience(), hooks.events());
		this.callerTransaction = hooks.callerTransaction();
		this.lease = settings.timing().lease();
	}

	/**
	 * Run one attempt.
	 * @param askedAt when the claim was asked for, on the monotonic clock
	 * @param arguments the arguments to enter the tool with
	 */
	Ended run(Claim.Granted grant, long askedAt, PreparedCall call, String arguments) {
		OptionalLong leaseUntil = leaseUntil(grant, askedAt);
		if (leaseUntil.isEmpty()) {
			return notEntered(grant, "The claim of this call took longer than its lease, so the tool was not entered.");
		}
		RunningCall running = new RunningCall(grant, call.incoming().toolCallId(), this.store, leaseUntil.getAsLong());
		LeaseKeeper.Renewal renewal;
		try {
			renewal = this.leases.keep(grant, running);
		}
		catch (RejectedExecutionException ex) {
			return notEntered(grant, "The application is shutting down, so the tool was not entered.");
		}
		try {
			return enter(grant, running, call, arguments);
		}
		finally {
			renewal.close();
		}
	}

	private Ended enter(Claim.Granted grant, RunningCall running, PreparedCall call, String arguments) {
		Judge.Watch watch = this.judge.watch();
		String result;
		try {
			result = running.enter(call.body(), arguments);
		}
		catch (Throwable thrown) {
			Ended ended = conclude(running, grant, watch.failed(call.tool(), running, call.body(), thrown), null,
					thrown);
			return rethrowErrors(call.body().reason(thrown), thrown, ended);
		}
		return conclude(running, grant, this.judge.returned(call.tool(), result), result, null);
	}

	private Ended conclude(RunningCall running, Claim.Granted grant, Judgement judgement, @Nullable String result,
			@Nullable Throwable thrown) {
		if (judgement instanceof Judgement.NotApplied notApplied) {
			running.nothingApplied();
			return failed(grant, notApplied, thrown);
		}
		if (judgement instanceof Judgement.MayHaveApplied doubt) {
			String reason = (result != null) ? doubt.reason() + " It returned: " + beginning(result) : doubt.reason();
			return doubtful(running, grant, reason, thrown);
		}
		return applied(grant, result);
	}

	/** Enough of a result that is not believed for a person to go by. */
	private static String beginning(String result) {
		return (result.length() > LONGEST_BEGINNING) ? result.substring(0, LONGEST_BEGINNING) + "…" : result;
	}

	private Ended applied(Claim.Granted grant, @Nullable String result) {
		this.recorder.record(grant, "SUCCEEDED", () -> this.store.complete(grant, result));
		this.callerTransaction.afterRollback(() -> this.store.recordRolledBack(grant));
		return new Ended.Over(new Answer.Result(grant.operation().requestId(), result, false));
	}

	private Ended failed(Claim.Granted grant, Judgement.NotApplied judgement, @Nullable Throwable thrown) {
		String error = judgement.reason();
		Answer.Failed answer = new Answer.Failed(grant.operation().requestId(), error, thrown);
		Optional<Settlement> settlement = this.recorder.record(grant, "FAILED", () -> this.store.fail(grant, error));
		if (settlement.isEmpty()) {
			return new Ended.Over(answer);
		}
		return settlement.get().<Ended>match((recorded) -> switch (recorded.operation().status()) {
			case IN_DOUBT -> new Ended.Doubtful(recorded.operation(), judgement.retryAfter());
			default -> judgement.passing() ? new Ended.Passing(recorded.operation(), answer, judgement.retryAfter())
					: new Ended.Over(answer);
		}, (superseded) -> new Ended.Over(Answer.standing(superseded.current())));
	}

	private Ended doubtful(RunningCall running, Claim.Granted grant, String reason, @Nullable Throwable thrown) {
		Operation operation = grant.operation();
		logger.warn("{}: {} may have taken effect in attempt {} and is in doubt, it ended with {}",
				operation.requestId(), operation.tool(), operation.attempt(),
				(thrown != null) ? thrown.getClass().getName() : "a result");
		logger.debug("{}: how attempt {} ended", operation.requestId(), operation.attempt(), thrown);
		return this.recorder.record(grant, "IN_DOUBT", () -> this.store.doubt(grant, reason))
			.map((settlement) -> settlement.<Ended>match(
					(recorded) -> new Ended.Doubtful(recorded.operation(), running.retryAfter()),
					(superseded) -> new Ended.Over(Answer.standing(superseded.current()))))
			.orElseGet(() -> new Ended.Over(Answer.Notice.inDoubt(operation.requestId())));
	}

	/** An {@link Error} was recorded like any other end; then it goes its way. */
	private static Ended rethrowErrors(Throwable reason, Throwable thrown, Ended ended) {
		if (reason instanceof InterruptedException) {
			Thread.currentThread().interrupt();
		}
		if (thrown instanceof Error fatal) {
			throw fatal;
		}
		if (reason instanceof Error && thrown instanceof RuntimeException wrapping) {
			throw wrapping;
		}
		return ended;
	}

	/**
	 * A grant that was slow to come may be about to run out: it is renewed before the
	 * tool is entered.
	 * @return until when it stands at least, on the monotonic clock: counted from before
	 * the database was asked; empty if it does not
	 */
	private OptionalLong leaseUntil(Claim.Granted grant, long askedAt) {
		long now = System.nanoTime();
		if (now - askedAt < TimeUnit.NANOSECONDS.convert(this.lease) / 2) {
			return OptionalLong.of(RunningCall.leaseEnd(askedAt, this.lease));
		}
		return this.store.renew(grant, this.lease) ? OptionalLong.of(RunningCall.leaseEnd(now, this.lease))
				: OptionalLong.empty();
	}

	private Ended notEntered(Claim.Granted grant, String error) {
		return failed(grant, new Judgement.NotApplied(error), null);
	}

}
