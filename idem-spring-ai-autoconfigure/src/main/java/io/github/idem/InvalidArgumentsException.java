package io.github.idem;

import org.jspecify.annotations.Nullable;

/**
 * The arguments of a protected call cannot be told apart safely: they are not one
 * well-formed JSON object, one of them is missing, or one does not convert without loss
 * to what the tool takes. Nothing was recorded and the tool was not entered. The message
 * is written for the model, which can repair them; it names arguments and never quotes
 * them.
 */
public class InvalidArgumentsException extends IdempotencyException {

	private static final long serialVersionUID = 1L;

	public InvalidArgumentsException(String message) {
		super(message);
	}

	public InvalidArgumentsException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
