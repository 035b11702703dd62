package io.github.idem;

/** A person's decision could not be taken as it was made; nothing was changed. */
public class ResolutionRefusedException extends IdempotencyException {

	private static final long serialVersionUID = 1L;

	/**
	 * Refuse a decision.
	 * @param message why, and what to do now
	 */
	public ResolutionRefusedException(String message) {
		super(message);
	}

}
