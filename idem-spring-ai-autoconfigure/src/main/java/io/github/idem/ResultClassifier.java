package io.github.idem;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Judges what tools return, for those that return their failures as text; beans of the
 * application are asked in their order, before idem judges itself. By itself it takes a
 * text that begins like an error message, and a JSON object with an error in it, for
 * {@link Judgement.MayHaveApplied}.
 */
@FunctionalInterface
public interface ResultClassifier {

	/**
	 * Judge a result.
	 * @param tool the tool's name
	 * @param result what the model would be given; a {@code String} that a method returns
	 * is JSON here, in quotes; may be {@code null}
	 * @return the judgement, or empty to leave it to the next; an exception counts as
	 * {@link Judgement.MayHaveApplied}
	 */
	Optional<Judgement> classify(String tool, @Nullable String result);

}
