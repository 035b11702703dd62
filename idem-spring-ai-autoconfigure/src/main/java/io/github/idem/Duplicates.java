package io.github.idem;

/**
 * What a later call with equal arguments, but another tool call id, means within one
 * task.
 */
public enum Duplicates {

	/** The same operation: the first result is given again, the tool is not entered. */
	COLLAPSE,

	/**
	 * The same operation, but the model is told that it was already done instead of being
	 * given the result.
	 */
	REJECT,

	/**
	 * A repeat is meant: another call is another effect. The same call re-executed (same
	 * id in the same message, or the task replayed) still is one.
	 */
	ALLOW

}
