package io.github.idem;

/**
 * What a tool's downstream does for us when it is not known whether an attempt took
 * effect. Decides what is done about an operation that is in doubt.
 */
public enum Downstream {

	/**
	 * {@link #QUERYABLE} if an {@link OutcomeProbe} answers for the tool, else
	 * {@link #OPAQUE}; or what {@code idem.default.downstream} says.
	 */
	AUTO,

	/** It can't tell and does not deduplicate: what is in doubt waits for a person. */
	OPAQUE,

	/**
	 * It deduplicates on the request id, so the same request may be sent again: bounded,
	 * and only within {@code idem.downstream-window} of the first attempt, as long as it
	 * remembers. The tool has to send {@link IdempotentCall#requestId()} along.
	 */
	IDEMPOTENT,

	/** It can be asked what became of a request, by an {@link OutcomeProbe}. */
	QUERYABLE,

	/**
	 * The effect is made in idem's own database through the application's transaction
	 * manager: claim, effect and completion commit or roll back together, so nothing is
	 * ever in doubt.
	 */
	TRANSACTIONAL

}
