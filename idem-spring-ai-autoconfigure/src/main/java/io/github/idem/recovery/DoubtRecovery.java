package io.github.idem.recovery;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

import io.github.idem.Downstream;
import io.github.idem.IdempotencyException;
import io.github.idem.InvalidArgumentsException;
import io.github.idem.Operation;
import io.github.idem.Outcome;
import io.github.idem.operation.Check;
import io.github.idem.operation.OpenDoubt;
import io.github.idem.operation.OperationStore;
import io.github.idem.operation.Prober;
import io.github.idem.operation.Resolution;
import io.github.idem.operation.ToolRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out, when no caller is there, what became of operations in doubt: asks downstream
 * with growing pauses, sends again what is provably harmless to send again, and marks the
 * rest for a person. Any number of nodes may do this at once: a doubt is taken by one of
 * them at a time, and whatever it does is undone by the version if the operation has
 * moved on.
 */
public final class DoubtRecovery {

	private static final Logger logger = LoggerFactory.getLogger(DoubtRecovery.class);

	private static final int PER_TOOL = 20;

	private static final int LONGEST_DOUBLING = 16;

	private final OperationStore store;

	private final ToolRegistry tools;

	private final Prober prober;

	private final Limits limits;

	/**
	 * Create the recovery.
	 * @param store the record
	 * @param tools what can be done about each tool
	 * @param prober asks probes
	 * @param limits how long and how often
	 */
	public DoubtRecovery(OperationStore store, ToolRegistry tools, Prober prober, Limits limits) {
		this.store = store;
		this.tools = tools;
		this.prober = prober;
		this.limits = limits;
	}

	/**
	 * Look once at what is due. The tools are worked on side by side, so that one whose
	 * probe hangs does not hold up the others.
	 * @param executor runs the work of a tool
	 * @return completes when everything that was taken has been looked at
	 */
	public CompletableFuture<Void> run(Executor executor) {
		long taken = System.nanoTime();
		Map<String, List<OpenDoubt>> byTool = this.store.takeDue(PER_TOOL, this.limits.putOff())
			.stream()
			.collect(Collectors.groupingBy((doubt) -> doubt.operation().tool()));
		return CompletableFuture.allOf(byTool.values()
			.stream()
			.map((doubts) -> CompletableFuture.runAsync(() -> look(doubts, taken), executor))
			.toArray(CompletableFuture[]::new));
	}

	/** What took too long to come to is due again, and another look may be at it. */
	private void look(List<OpenDoubt> doubts, long taken) {
		long ours = this.limits.putOff().minus(this.prober.timeout()).toNanos();
		lookAndReport(doubts.get(0));
		doubts.stream().skip(1).takeWhile((doubt) -> System.nanoTime() - taken < ours).forEach(this::lookAndReport);
	}

	private void lookAndReport(OpenDoubt doubt) {
		if (Thread.currentThread().isInterrupted()) {
			return;
		}
		try {
			look(doubt);
		}
		catch (RuntimeException ex) {
			logger.warn("{}: it could not be found out what became of {}, trying again later",
					doubt.operation().requestId(), doubt.operation().tool(), ex);
		}
	}

	private void look(OpenDoubt doubt) {
		ToolRegistry.KnownEffect effect = this.tools.find(doubt.operation().tool());
		ToolRegistry.ReEntry allowed = doubt.sendAgainOnce() ? mayEnter(doubt, effect) : null;
		if (allowed != null) {
			sendAgain(doubt, effect, allowed, "a person allowed it");
		}
		else if (effect.probe() == null) {
			withoutEvidence(doubt, effect,
					doubt.sendAgainOnce() ? "only an equal call can send it again" : "nothing can be asked", null);
		}
		else {
			probe(doubt, effect);
		}
	}

	/** What waits for a person already was tried here in vain. */
	private static ToolRegistry.@Nullable ReEntry mayEnter(OpenDoubt doubt, ToolRegistry.KnownEffect effect) {
		return (doubt.severalRequests() || doubt.needsPerson()) ? null : effect.reEntry();
	}

	private void probe(OpenDoubt doubt, ToolRegistry.KnownEffect effect) {
		Operation operation = doubt.operation();
		Outcome outcome = this.prober.ask(Objects.requireNonNull(effect.probe()), operation);
		boolean settled = doubt.inDoubtFor().compareTo(this.limits.settle()) >= 0;
		Optional<Resolution> resolution = Resolution.of(outcome, operation.tool());
		if (resolution.isEmpty() && settled && effect.notFoundIsFinal() && outcome instanceof Outcome.NotFound) {
			resolution = Resolution.of(new Outcome.NotApplied("Downstream did not find it " + this.limits.settle()
					+ " after the attempt, which this tool takes for final."), operation.tool());
		}
		if (resolution.isPresent()) {
			this.store.keep(operation, new Check(Check.Kind.PROBE, doubt.inDoubtFor(), "in doubt", outcome.toString()));
			this.store.resolve(operation, resolution.get())
				.ifPresent(
						(now) -> logger.info("{}: {} was found to be {}", now.requestId(), now.tool(), now.status()));
		}
		else if (settled) {
			withoutEvidence(doubt, effect, "still unknown after the settle time", outcome);
		}
		else {
			this.store.keep(operation, new Check(Check.Kind.PROBE, doubt.inDoubtFor(), "in doubt", outcome.toString()),
					pause(doubt), false);
		}
	}

	/**
	 * Nothing conclusive is to be had: it may be sent again where that is harmless, else
	 * a person has to look. It is still asked about while downstream may remember.
	 */
	private void withoutEvidence(OpenDoubt doubt, ToolRegistry.KnownEffect effect, String reason,
			@Nullable Outcome outcome) {
		if (outcome != null) {
			this.store.keep(doubt.operation(),
					new Check(Check.Kind.PROBE, doubt.inDoubtFor(), "in doubt", outcome.toString()));
		}
		boolean harmless = doubt.downstream() == Downstream.IDEMPOTENT && effect.downstream() == Downstream.IDEMPOTENT
				&& isInWindow(doubt) && doubt.resends() < this.limits.maxAttempts() - 1;
		ToolRegistry.ReEntry reEntry = harmless ? mayEnter(doubt, effect) : null;
		if (reEntry != null) {
			sendAgain(doubt, effect, reEntry, "downstream deduplicates on the request id");
		}
		else {
			leaveToPerson(doubt, effect, reason, null);
		}
	}

	private void leaveToPerson(OpenDoubt doubt, ToolRegistry.KnownEffect effect, String reason,
			@Nullable String outcome) {
		if (!doubt.needsPerson()) {
			logger.warn("{}: {} needs a person, {}", doubt.operation().requestId(), doubt.operation().tool(), reason);
		}
		this.store.keep(doubt.operation(), new Check(Check.Kind.PERSON, doubt.inDoubtFor(), reason, outcome),
				(effect.probe() != null && isInWindow(doubt)) ? pause(doubt) : null, true);
	}

	private boolean isInWindow(OpenDoubt doubt) {
		return doubt.sinceFirstClaim().compareTo(this.limits.downstreamWindow()) < 0;
	}

	private void sendAgain(OpenDoubt doubt, ToolRegistry.KnownEffect effect, ToolRegistry.ReEntry reEntry,
			String reason) {
		Operation operation = doubt.operation();
		logger.info("{}: {} is sent again, {}", operation.requestId(), operation.tool(), reason);
		try {
			reEntry.sendAgain(operation, reason);
		}
		catch (RuntimeException ex) {
			if (ex instanceof IdempotencyException && !(ex instanceof InvalidArgumentsException)) {
				throw ex;
			}
			leaveToPerson(doubt, effect, "it could not be entered in the background", ex.toString());
		}
	}

	/** Doubled with every look, and never longer than a tenth of the window. */
	private Duration pause(OpenDoubt doubt) {
		Duration pause = this.limits.interval().multipliedBy(1L << Math.min(doubt.checks(), LONGEST_DOUBLING));
		Duration untilSettled = this.limits.settle().minus(doubt.inDoubtFor());
		if (!untilSettled.isNegative() && untilSettled.compareTo(pause) < 0) {
			return untilSettled;
		}
		Duration longest = this.limits.downstreamWindow().dividedBy(10);
		return (pause.compareTo(longest) > 0 && longest.compareTo(this.limits.interval()) > 0) ? longest : pause;
	}

	/**
	 * How long and how often.
	 *
	 * @param interval the pause after the first look
	 * @param settle how long after the attempt a request that is not found may still
	 * arrive
	 * @param downstreamWindow for how long after the first claim downstream is trusted to
	 * remember a request id
	 * @param maxAttempts how often an operation is sent at most, the first time included
	 * @param putOff for how long a doubt that was taken is nobody else's
	 */
	public record Limits(Duration interval, Duration settle, Duration downstreamWindow, int maxAttempts,
			Duration putOff) {

		public Limits {
			if (interval.isNegative() || interval.isZero()) {
				throw new IllegalArgumentException("idem.recovery.interval must be positive, but is " + interval);
			}
			if (settle.isNegative()) {
				throw new IllegalArgumentException("idem.probe.settle must not be negative, but is " + settle);
			}
			Objects.requireNonNull(downstreamWindow, "downstreamWindow");
			Objects.requireNonNull(putOff, "putOff");
		}

	}

}
