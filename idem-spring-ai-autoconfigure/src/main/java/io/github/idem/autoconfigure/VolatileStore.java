package io.github.idem.autoconfigure;

/** What to do about a store that forgets everything when the process ends. */
public enum VolatileStore {

	/** Start, and say so in the log. */
	WARN,

	/** Do not start. */
	FAIL,

	/** Start without a word. */
	ALLOW

}
