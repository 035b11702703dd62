package io.github.idem.operation;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.idem.Downstream;
import io.github.idem.IdempotencyStoreException;
import io.github.idem.Operation;
import io.github.idem.Outcome;
import io.github.idem.OutcomeProbe;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries a granted call to its end while the caller waits, and finds out about one that
 * is in doubt.
 * <ol>
 * <li>An attempt that did nothing, for a reason that may pass, is claimed and made again.
 * <li>One that may have applied the effect is probed, where the tool can be.
 * <li>It is sent again under its request id only where downstream deduplicates and still
 * remembers, or a person allowed it.
 * <li>All of it is bounded. What is still in doubt then is left to the background and to
 * a person.
 * </ol>
 */
final class CallRunner {

	private static final Logger logger = LoggerFactory.getLogger(CallRunner.class);

	private final OperationStore store;

	private final AttemptRunner attempts;

	private final Prober prober;

	private final Waiting waiting;

	private final EngineSettings settings;

	CallRunner(OperationStore store, AttemptRunner attempts, Prober prober, Waiting waiting, EngineSettings settings) {
		this.store = store;
		this.attempts = attempts;
		this.prober = prober;
		this.waiting = waiting;
		this.settings = settings;
	}

	/**
	 * Run a call whose operation was granted.
	 * @param askedAt when the claim was asked for, on the monotonic clock
	 * @param claimAgain claims the call once more, should it be tried again, and goes by
	 * whatever comes of it but a grant
	 */
	Answer run(Claim.Granted grant, long askedAt, PreparedCall call, ClaimAgain claimAgain) {
		return announced(grant, () -> goOn(this.attempts.run(grant, askedAt, call, call.arguments()), call,
				new Tries(this.settings.retry()), claimAgain));
	}

	/**
	 * Find out about an operation in doubt that a call has met.
	 */
	Answer settle(Operation inDoubt, PreparedCall call, ClaimAgain claimAgain) {
		return goOn(new Ended.Doubtful(inDoubt, null), call, new Tries(this.settings.retry()), claimAgain);
	}

	/**
	 * Send an operation in doubt again, once, for a caller that is gone.
	 * @return what came of it; empty if it has moved on, and the tool was not entered
	 */
	Optional<Answer> sendAgain(Operation inDoubt, PreparedCall call, String reason) {
		long askedAt = System.nanoTime();
		return resend(inDoubt, Duration.ZERO, reason).map((grant) -> announced(grant, () -> {
			Ended ended = this.attempts.run(grant, askedAt, call, call.arguments());
			if (ended instanceof Ended.Doubtful doubtful) {
				heed(doubtful.retryAfter(), doubtful.operation(), call.tool());
			}
			return answer(ended);
		}));
	}

	private Answer announced(Claim.Granted grant, Supplier<Answer> work) {
		Waiting.Announcement announcement = this.waiting.announce(grant);
		Answer answer = Answer.Notice.inDoubt(grant.operation().requestId());
		try {
			answer = work.get();
			return answer;
		}
		finally {
			announcement.end(answer);
		}
	}

	private Answer goOn(Ended first, PreparedCall call, Tries tries, ClaimAgain claimAgain) {
		Ended ended = first;
		while (true) {
			if (ended instanceof Ended.Over over) {
				return over.answer();
			}
			try {
				ended = (ended instanceof Ended.Passing passing) ? tryAgain(passing, call, tries, claimAgain)
						: settle((Ended.Doubtful) ended, call, tries);
			}
			catch (IdempotencyStoreException ex) {
				Answer answer = answer(ended);
				logger.warn("{}: nothing more is done now, since the record could not be asked", call.identity(), ex);
				return answer;
			}
		}
	}

	private static Answer answer(Ended ended) {
		if (ended instanceof Ended.Over over) {
			return over.answer();
		}
		return (ended instanceof Ended.Passing passing) ? passing.answer()
				: Answer.Notice.inDoubt(((Ended.Doubtful) ended).operation().requestId());
	}

	private Ended tryAgain(Ended.Passing passing, PreparedCall call, Tries tries, ClaimAgain claimAgain) {
		Optional<Duration> waited = tries.next(passing.retryAfter());
		if (waited.isEmpty()) {
			return new Ended.Over(passing.answer());
		}
		note(passing.operation(), new Check(Check.Kind.RETRY, waited.get(), passing.answer().error(), "trying again"));
		long askedAt = System.nanoTime();
		return claimAgain.claim(call, (grant) -> this.attempts.run(grant, askedAt, call, call.arguments()));
	}

	private Ended settle(Ended.Doubtful doubtful, PreparedCall call, Tries tries) {
		Operation inDoubt = doubtful.operation();
		OpenDoubt doubt = this.store.findDoubt(inDoubt.requestId()).orElse(null);
		if (doubt == null) {
			return standing(inDoubt);
		}
		if (doubt.sendAgainOnce() && !Thread.currentThread().isInterrupted()) {
			return sendAgain(doubt, call, Duration.ZERO, "a person allowed it");
		}
		boolean mayResend = mayResend(doubt, call.tool());
		OutcomeProbe probe = call.tool().effect().probe();
		if (probe != null) {
			Ended settled = probe(doubt, probe, mayResend);
			if (settled != null) {
				return settled;
			}
		}
		Optional<Duration> waited = mayResend ? tries.next(doubtful.retryAfter()) : Optional.empty();
		if (waited.isPresent()) {
			return sendAgain(doubt, call, waited.get(), "downstream deduplicates on the request id");
		}
		heed(doubtful.retryAfter(), inDoubt, call.tool());
		return new Ended.Over(Answer.Notice.inDoubt(inDoubt.requestId()));
	}

	/** It is not sent again in the background while downstream asks to be left alone. */
	private void heed(@Nullable Duration retryAfter, Operation operation, ToolPolicy tool) {
		if (retryAfter == null) {
			return;
		}
		Duration longest = this.settings.downstreamWindow().dividedBy(10);
		Duration wait = (retryAfter.compareTo(longest) < 0) ? retryAfter : longest;
		this.store.findDoubt(operation.requestId())
			.filter((doubt) -> mayResend(doubt, tool) && !doubt.needsPerson())
			.ifPresent((doubt) -> this.store.keep(doubt.operation(),
					new Check(Check.Kind.PUT_OFF, Duration.ZERO, "downstream asks to wait", wait.toString()), wait,
					false));
	}

	/**
	 * Ask a bounded number of times; between two attempts, once.
	 * @return where it stands now; {@code null} if nothing conclusive came
	 */
	private @Nullable Ended probe(OpenDoubt doubt, OutcomeProbe probe, boolean between) {
		Operation operation = doubt.operation();
		Pauses.Sequence pauses = this.settings.probe().pauses().begin();
		int questions = between ? 1 : this.settings.probe().maxAttempts();
		for (int question = 1; question <= questions; question++) {
			Duration pause = pauses.next();
			if (!Sleep.whileWanted(pause)) {
				return null;
			}
			Outcome outcome = this.prober.ask(probe, operation);
			Check check = new Check(Check.Kind.PROBE, pause, "in doubt", outcome.toString());
			Optional<Resolution> resolution = Resolution.of(outcome, operation.tool());
			if (resolution.isEmpty() && question == questions && !between) {
				leaveToBackground(doubt, check);
			}
			else {
				note(operation, check);
			}
			if (resolution.isPresent()) {
				return this.store.resolve(operation, resolution.get())
					.<Ended>map((now) -> new Ended.Over(Answer.standing(now)))
					.orElseGet(() -> standing(operation));
			}
		}
		return null;
	}

	/** The caller gives up: the background need not wait for it any longer. */
	private void leaveToBackground(OpenDoubt doubt, Check check) {
		if (doubt.needsPerson()) {
			note(doubt.operation(), check);
		}
		else {
			this.store.keep(doubt.operation(), check, Duration.ZERO, false);
		}
	}

	private boolean mayResend(OpenDoubt doubt, ToolPolicy tool) {
		return tool.effect().downstream() == Downstream.IDEMPOTENT && doubt.downstream() == Downstream.IDEMPOTENT
				&& doubt.sinceFirstClaim().compareTo(this.settings.downstreamWindow()) < 0
				&& doubt.resends() < this.settings.retry().maxAttempts() - 1;
	}

	private Ended sendAgain(OpenDoubt doubt, PreparedCall call, Duration waited, String reason) {
		long askedAt = System.nanoTime();
		return resend(doubt.operation(), waited, reason)
			.map((grant) -> this.attempts.run(grant, askedAt, call, call.argumentsOf(doubt.operation())))
			.orElseGet(() -> standing(doubt.operation()));
	}

	private Optional<Claim.Granted> resend(Operation inDoubt, Duration waited, String reason) {
		Optional<Claim.Granted> grant = this.store.sendAgain(inDoubt, UUID.randomUUID().toString(),
				this.settings.timing().lease(), reason);
		grant.ifPresent((granted) -> note(granted.operation(), new Check(Check.Kind.RESEND, waited, reason, null)));
		return grant;
	}

	/** What is done about a call does not depend on whether that can be noted. */
	private void note(Operation operation, Check check) {
		try {
			this.store.keep(operation, check);
		}
		catch (IdempotencyStoreException ex) {
			logger.warn("{}: {} could not be noted", operation.requestId(), check, ex);
		}
	}

	/** It has moved on: whoever moved it knows. */
	private Ended standing(Operation operation) {
		return new Ended.Over(this.store.find(operation.requestId())
			.map(Answer::standing)
			.orElseGet(() -> Answer.Notice.inDoubt(operation.requestId())));
	}

	/** Claims a call once more. */
	@FunctionalInterface
	interface ClaimAgain {

		/**
		 * Claim.
		 * @param ifGranted makes the attempt
		 * @return how the attempt ended, or whatever the claim came to instead
		 */
		Ended claim(PreparedCall call, Function<Claim.Granted, Ended> ifGranted);

	}

}
