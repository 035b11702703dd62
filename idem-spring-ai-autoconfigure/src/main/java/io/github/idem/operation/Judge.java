package io.github.idem.operation;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

import io.github.idem.EffectBoundary;
import io.github.idem.EffectNotAppliedException;
import io.github.idem.FailedAttempt;
import io.github.idem.Judgement;
import io.github.idem.SentRequest;
import io.github.idem.SentRequest.Fate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges what an attempt came to: the whole attempt, not the last exception, since a tool
 * may take effect and then fail at something else. Whatever is not known for certain may
 * have been applied.
 */
final class Judge {

	private static final Logger logger = LoggerFactory.getLogger(Judge.class);

	private final EngineHooks hooks;

	Judge(EngineHooks hooks) {
		this.hooks = hooks;
	}

	/** Begin to watch an attempt. */
	Watch watch() {
		return new Watch(this.hooks.unattributed().count());
	}

	/** Judge what a tool returned. */
	Judgement returned(ToolPolicy tool, @Nullable String result) {
		return first(this.hooks.results(), (classifier) -> classifier.classify(tool.tool(), result), tool,
				Optional.of(new Judgement.MayHaveApplied("Its result could not be judged.")))
			.orElseGet(() -> ErrorTexts.looksLikeError(result)
					? new Judgement.MayHaveApplied("It returned what looks like an error.") : new Judgement.Applied());
	}

	private Judgement failed(ToolPolicy tool, RunningCall call, ToolBody body, Throwable thrown, long unattributed) {
		Throwable reason = body.reason(thrown);
		String described = describe(reason);
		EffectPolicy effect = tool.effect();
		List<SentRequest> sent = call.sent();
		boolean saidSo = reason instanceof EffectNotAppliedException
				|| effect.notAppliedFor().stream().anyMatch((type) -> type.isInstance(reason));
		boolean notReached = effect.boundary() == EffectBoundary.MARKED && !call.effectBegun();
		boolean nothingSent = effect.boundary() == EffectBoundary.HTTP && sent.stream().noneMatch(Judge::mayDo)
				&& this.hooks.unattributed().count() == unattributed && !waitedForAnother(reason);
		if (saidSo || notReached || nothingSent || body.neverEntered(call, thrown)) {
			return new Judgement.NotApplied(described);
		}
		FailedAttempt attempt = new FailedAttempt(call.tool(), call.requestId(), call.attempt(), reason, sent);
		return first(this.hooks.failures(), (classifier) -> classifier.classify(attempt), tool, Optional.empty())
			.filter((judgement) -> !(judgement instanceof Judgement.Applied))
			.orElseGet(() -> new Judgement.MayHaveApplied(described));
	}

	private static <C> Optional<Judgement> first(List<C> classifiers, Function<C, Optional<Judgement>> ask,
			ToolPolicy tool, Optional<Judgement> ifItThrows) {
		for (C classifier : classifiers) {
			Optional<Judgement> judgement;
			try {
				judgement = Objects.requireNonNull(ask.apply(classifier), "it gave null");
			}
			catch (RuntimeException | Error ex) {
				logger.error("{} failed to judge a call of {}", classifier.getClass().getName(), tool.tool(), ex);
				judgement = ifItThrows;
			}
			if (judgement.isPresent()) {
				return judgement;
			}
		}
		return Optional.empty();
	}

	/** Another protected tool that did nothing is as good as none. */
	static boolean mayDo(SentRequest request) {
		return request.unsafe() && !(request.method().equals(SentRequest.TOOL) && request.fate() == Fate.REFUSED);
	}

	/** What another thread was asked for may still be begun. */
	private static boolean waitedForAnother(Throwable reason) {
		Set<Throwable> seen = new HashSet<>();
		for (Throwable current = reason; current != null && seen.add(current); current = current.getCause()) {
			if (current instanceof TimeoutException || current instanceof ExecutionException
					|| current instanceof CompletionException || current instanceof CancellationException
					|| current instanceof InterruptedException) {
				return true;
			}
		}
		return false;
	}

	/** A sentence about a failure, for the record and for those who wait for it. */
	static String describe(Throwable reason) {
		String message = reason.getMessage();
		return (message != null && !message.isBlank()) ? message : reason.getClass().getName();
	}

	/** Watches one attempt from before the tool is entered. */
	final class Watch {

		private final long unattributed;

		private Watch(long unattributed) {
			this.unattributed = unattributed;
		}

		/** Judge how the attempt failed. */
		Judgement failed(ToolPolicy tool, RunningCall call, ToolBody body, Throwable thrown) {
			return Judge.this.failed(tool, call, body, thrown, this.unattributed);
		}

	}

}
