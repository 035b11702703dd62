package io.github.idem.operation;

import java.time.Duration;
import java.util.function.Function;

import io.github.idem.IdempotencyException;
import io.github.idem.IdempotencyStoreException;
import io.github.idem.Judgement;
import io.github.idem.Operation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a tool whose effect is made in the record's own database: in one transaction with
 * its claim and its completion. If it does not end well, nothing of it is left, and it
 * may be called again. So nothing is ever in doubt, probed or sent again.
 * <p>
 * No lease is renewed: until it has become a success nobody else sees the claim. An equal
 * call waits in the database for this one to end.
 */
final class TransactionalRunner {

	private static final Logger logger = LoggerFactory.getLogger(TransactionalRunner.class);

	private final EngineHooks hooks;

	private final Judge judge;

	private final Duration lease;

	private final Duration maxRun;

	TransactionalRunner(EngineSettings settings, EngineHooks hooks) {
		this.hooks = hooks;
		this.judge = new Judge(hooks);
		this.lease = settings.timing().lease();
		this.maxRun = settings.timing().maxRun();
	}

	Answer run(PreparedCall call) {
		TransactionalStore store = this.hooks.transactional().get();
		try {
			return store.inOneTransaction((joined) -> claimAndRun(joined, call));
		}
		catch (Undone undone) {
			undone.nothingApplied();
			return undone.answer();
		}
		catch (TransactionalStore.RolledBackException ex) {
			return new Answer.Failed(call.identity().requestId(0),
					"Its transaction was marked to be rolled back, so nothing was done.", null);
		}
		catch (TransactionalStore.CommitUnknownException ex) {
			return lookUp(store, call, ex);
		}
	}

	private Answer claimAndRun(OperationStore joined, PreparedCall call) {
		return claim(joined, call, (granted) -> enter(joined, granted, call));
	}

	private Answer claim(OperationStore joined, PreparedCall call, Function<Claim.Granted, Answer> ifGranted) {
		Claim claim;
		try {
			claim = joined.claim(call.request(this.lease));
		}
		catch (ClaimBlockedException ex) {
			return Answer.Notice.inProgress(call.identity().requestId(0));
		}
		return claim.match(ifGranted,
				(completed) -> Repeats.repeated(completed.operation(), Answer.standing(completed.operation()), call),
				(running) -> Answer.Notice.inProgress(running.operation().requestId()),
				(inDoubt) -> Answer.Notice.inDoubt(inDoubt.operation().requestId()),
				(conflict) -> Answer.Notice.conflict(conflict.operation().requestId()));
	}

	private Answer enter(OperationStore joined, Claim.Granted grant, PreparedCall call) {
		if (Thread.currentThread().isInterrupted()) {
			throw new IdempotencyException(call.interrupted());
		}
		Operation operation = grant.operation();
		RunningCall running = new RunningCall(grant, call.incoming().toolCallId(), joined,
				RunningCall.leaseEnd(System.nanoTime(), this.maxRun));
		String result;
		try {
			result = running.enter(call.body(), call.arguments());
		}
		catch (Throwable thrown) {
			throw undone(call, running, thrown);
		}
		Judgement judgement = this.judge.returned(call.tool(), result);
		if (judgement instanceof Judgement.NotApplied notApplied) {
			throw new Undone(new Answer.Failed(operation.requestId(), notApplied.reason(), null), running);
		}
		if (judgement instanceof Judgement.MayHaveApplied doubt) {
			throw new Undone(
					new Answer.Failed(operation.requestId(), doubt.reason() + " Nothing of it was kept.", null),
					running);
		}
		complete(joined, grant, running, result);
		return new Answer.Result(operation.requestId(), result, false);
	}

	private static void complete(OperationStore joined, Claim.Granted grant, RunningCall running,
			@Nullable String result) {
		Operation operation = grant.operation();
		try {
			if (joined.complete(grant, result) instanceof Settlement.Recorded) {
				return;
			}
		}
		catch (IdempotencyStoreException ex) {
			logger.warn("{}: the success of {} could not be recorded, so it is rolled back", operation.requestId(),
					operation.tool(), ex);
		}
		throw new Undone(new Answer.Failed(operation.requestId(),
				"Its success could not be recorded, so nothing of it was kept.", null), running);
	}

	/** Whatever it is, it rolls everything back; an {@link Error} then goes its way. */
	private static RuntimeException undone(PreparedCall call, RunningCall running, Throwable thrown) {
		Throwable reason = call.body().reason(thrown);
		if (reason instanceof InterruptedException) {
			Thread.currentThread().interrupt();
		}
		if (thrown instanceof Error fatal) {
			throw fatal;
		}
		if (reason instanceof Error && thrown instanceof RuntimeException wrapping) {
			return wrapping;
		}
		return new Undone(new Answer.Failed(running.requestId(), Judge.describe(reason), thrown), running);
	}

	/**
	 * Claim it once more, and roll that back. The claim waits for a commit that is still
	 * under way, which a mere look would not see, so a grant means that nothing was
	 * committed or will be.
	 */
	private Answer lookUp(TransactionalStore store, PreparedCall call,
			TransactionalStore.CommitUnknownException unknown) {
		String requestId = call.identity().requestId(0);
		logger.warn("{}: the commit of {} was not acknowledged, looking for it", requestId, call.tool().tool(),
				unknown);
		Answer.Failed failed = new Answer.Failed(requestId, "The transaction was not committed, so nothing was done.",
				null);
		try {
			return store.inOneTransaction((joined) -> {
				throw new Undone(claim(joined, call, (granted) -> failed), null);
			});
		}
		catch (Undone undone) {
			return undone.answer();
		}
		catch (RuntimeException ex) {
			throw new IdempotencyStoreException(
					"Tool '%s' was entered, but whether its transaction was committed is not known. The same call may be made again: it takes effect at most once."
						.formatted(call.tool().tool()),
					ex);
		}
	}

	/** Rolls the transaction back, and carries what the caller is told. */
	private static final class Undone extends RuntimeException {

		private static final long serialVersionUID = 1L;

		private final transient Answer answer;

		private final transient @Nullable RunningCall running;

		Undone(Answer answer, @Nullable RunningCall running) {
			super(null, (answer instanceof Answer.Failed failed) ? failed.thrown() : null, false, false);
			this.answer = answer;
			this.running = running;
		}

		/** What it sent to others was not rolled back. */
		void nothingApplied() {
			if (this.running != null && this.running.sent().stream().noneMatch(Judge::mayDo)) {
				this.running.nothingApplied();
			}
		}

		Answer answer() {
			return this.answer;
		}

	}

}
