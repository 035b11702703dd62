package io.github.idem;

/**
 * Where an operation stands. Transitions are one-way; only evidence or a person moves an
 * operation out of {@link #IN_DOUBT}.
 */
public enum OperationStatus {

	/** Somebody holds the claim and may be inside the tool. */
	IN_PROGRESS,

	/** The effect was applied and its result is recorded. */
	SUCCEEDED,

	/** The effect definitely did not happen and never will by this attempt. */
	FAILED,

	/** The effect may have happened. Never made again on a guess. */
	IN_DOUBT,

	/** The effect is being undone. */
	COMPENSATING,

	/** The effect was applied, then undone. */
	COMPENSATED

}
