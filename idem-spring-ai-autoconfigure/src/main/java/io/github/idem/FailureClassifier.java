package io.github.idem;

import java.util.Optional;

/**
 * Judges attempts that ended with an exception; beans of the application are asked in
 * their order, before idem judges itself. Says only what is certain: a wrong
 * {@link Judgement.NotApplied} makes the effect twice.
 */
@FunctionalInterface
public interface FailureClassifier {

	/**
	 * Judge an attempt.
	 * @param attempt the attempt
	 * @return the judgement, or empty to leave it to the next; an exception counts as
	 * empty
	 */
	Optional<Judgement> classify(FailedAttempt attempt);

}
