package io.github.idem.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows the one sentence that matters instead of a stack trace. */
final class UnusableStoreFailureAnalyzer extends AbstractFailureAnalyzer<UnusableStoreException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnusableStoreException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()), null, cause);
	}

}
