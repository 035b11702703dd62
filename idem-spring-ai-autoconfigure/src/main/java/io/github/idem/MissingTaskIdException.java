package io.github.idem;

/**
 * A protected tool was about to be called without a usable task id. Nothing was recorded
 * and the tool was not entered.
 */
public class MissingTaskIdException extends IdempotencyException {

	private static final long serialVersionUID = 1L;

	public MissingTaskIdException(String message) {
		super(message);
	}

}
