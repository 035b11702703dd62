package io.github.idem.operation;

import java.time.Duration;

/** How long to wait between tries that follow each other. */
@FunctionalInterface
public interface Pauses {

	/**
	 * Begin a sequence of tries.
	 * @return gives the pause before each further try
	 */
	Sequence begin();

	/** The pauses of one sequence of tries; for one thread. */
	@FunctionalInterface
	interface Sequence {

		/**
		 * The pause before the next try.
		 * @return how long to wait, not negative
		 */
		Duration next();

	}

}
