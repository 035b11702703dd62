package io.github.idem.http;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.github.idem.FailedAttempt;
import io.github.idem.FailureClassifier;
import io.github.idem.Judgement;
import io.github.idem.SentRequest;
import io.github.idem.SentRequest.Fate;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.web.client.RestClientResponseException;
import org.springframework.web.reactive.function.client.WebClientResponseException;

/**
 * An attempt did nothing if every unsafe request that was seen of it was provably not
 * carried out, and it failed because of the last request it made. Says nothing otherwise:
 * a tool may charge, then fail at fetching the receipt.
 */
public final class HttpFailureClassifier implements FailureClassifier {

	private static final boolean webClientPresent = ClassUtils.isPresent(
			"org.springframework.web.reactive.function.client.WebClientResponseException",
			HttpFailureClassifier.class.getClassLoader());

	@Override
	public Optional<Judgement> classify(FailedAttempt attempt) {
		List<SentRequest> sent = attempt.sent();
		boolean allRefused = sent.stream().filter(SentRequest::unsafe).allMatch(HttpFailureClassifier::refused);
		if (sent.isEmpty() || !allRefused) {
			return Optional.empty();
		}
		SentRequest last = sent.get(sent.size() - 1);
		boolean request = last.unsafe() && !last.method().equals(SentRequest.TOOL);
		if (!request || !comesFrom(attempt.thrown(), last)) {
			return Optional.empty();
		}
		String reason = (last.status() != null) ? "The request was refused with status %d.".formatted(last.status())
				: "No connection could be made, so nothing was sent.";
		return Optional.of(new Judgement.NotApplied(reason, last.fate() == Fate.REFUSED_FOR_NOW, last.retryAfter()));
	}

	private static boolean refused(SentRequest request) {
		return request.fate() == Fate.REFUSED || request.fate() == Fate.REFUSED_FOR_NOW;
	}

	private static boolean comesFrom(Throwable thrown, SentRequest request) {
		Set<Throwable> seen = new HashSet<>();
		for (Throwable current = thrown; current != null && seen.add(current); current = current.getCause()) {
			if (current == request.failure()) {
				return true;
			}
			Integer status = status(current);
			if (status != null && status.equals(request.status())) {
				return true;
			}
		}
		return false;
	}

	private static @Nullable Integer status(Throwable thrown) {
		if (thrown instanceof RestClientResponseException response) {
			return response.getStatusCode().value();
		}
		return webClientPresent ? Reactive.status(thrown) : null;
	}

	/** Not loaded without WebFlux. */
	private static final class Reactive {

		static @Nullable Integer status(Throwable thrown) {
			return (thrown instanceof WebClientResponseException response) ? response.getStatusCode().value() : null;
		}

	}

}
