package io.github.idem.autoconfigure;

import io.github.idem.IdempotencyException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows the one sentence that matters instead of a stack trace. */
final class IdempotencyFailureAnalyzer extends AbstractFailureAnalyzer<IdempotencyException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, IdempotencyException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()), null, cause);
	}

}
