package io.github.idem;

/**
 * Asks downstream what became of an operation that is in doubt; a bean of the
 * application. Must change nothing there: it is asked repeatedly, by callers and in the
 * background, on threads of idem's own, and may be interrupted when
 * {@code idem.probe.timeout} is over.
 */
public interface OutcomeProbe {

	/**
	 * The tool this probe answers for.
	 * @return the tool's name
	 */
	String tool();

	/**
	 * Ask for one operation, normally by {@link Operation#requestId()}, which is what
	 * downstream was given.
	 * @param operation the operation as it stands
	 * @return what downstream says; an exception counts as {@link Outcome.Unknown}
	 * @throws Exception if downstream could not be asked
	 */
	Outcome probe(Operation operation) throws Exception;

}
