package io.github.idem.tool;

import java.util.Optional;

import io.github.idem.Judgement;
import io.github.idem.ResultClassifier;
import org.jspecify.annotations.Nullable;

/**
 * Puts a call in doubt whose tool returned before its effect was made. Asked before all
 * others: nobody can judge a result that is not there.
 */
public final class DeferredResults implements ResultClassifier {

	/** Looks like an error also to an engine that does not ask. */
	private static final String BEGINNING = "Error: its result is made later, so its effect would outlive the claim: ";

	@Override
	public Optional<Judgement> classify(String tool, @Nullable String result) {
		return (result != null && result.startsWith(BEGINNING)) ? Optional.of(new Judgement.MayHaveApplied(result))
				: Optional.empty();
	}

	/** What stands for a result that is made later. */
	static String text(Object later) {
		return BEGINNING + "it is a " + later.getClass().getSimpleName()
				+ ". Wait for it inside the tool, for instance with block() or join(), and return what it gives.";
	}

}
