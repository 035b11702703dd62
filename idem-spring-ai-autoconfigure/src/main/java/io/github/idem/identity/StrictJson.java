package io.github.idem.identity;

import io.github.idem.InvalidArgumentsException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;

/**
 * The parser for arguments, its limits, and how its errors are told to the model: without
 * the parser's own words, which quote the text.
 */
final class StrictJson {

	/** How many objects and arrays may be inside each other, the outermost included. */
	static final int MAX_DEPTH = 64;

	private static final int MAX_NAME = 50_000;

	private static final int MAX_STRING = 100_000_000;

	// The length limits are those of the mapper that binds the arguments afterwards: what
	// it would refuse is refused here, before anything is recorded. One level more than
	// allowed, so that the reader gets to say it in its own words.
	private static final JsonFactory FACTORY = JsonFactory.builder()
		.streamReadConstraints(StreamReadConstraints.builder()
			.maxNestingDepth(MAX_DEPTH + 1)
			.maxNumberLength(JsonNumbers.MAX_LENGTH)
			.maxStringLength(MAX_STRING)
			.maxNameLength(MAX_NAME)
			.build())
		.build();

	private StrictJson() {
	}

	static JsonParser parser(String text) {
		return FACTORY.createParser(ObjectReadContext.empty(), text);
	}

	static long offset(JacksonException ex) {
		return (ex.getLocation() != null) ? Math.max(0, ex.getLocation().getCharOffset()) : 0;
	}

	/** Neither the message nor a cause of it may carry what the arguments say. */
	static InvalidArgumentsException refusal(JacksonException ex, String text) {
		long at = offset(ex);
		if (ex instanceof UnexpectedEndOfInputException) {
			return new InvalidArgumentsException(
					"The arguments end too early, after %d characters; send one complete JSON object."
						.formatted(text.length()));
		}
		if (ex instanceof StreamConstraintsException) {
			return new InvalidArgumentsException(
					"The arguments are too long near character %d: a number may have %d characters, a name %d; send a JSON object within these limits."
						.formatted(at, JsonNumbers.MAX_LENGTH, MAX_NAME));
		}
		if (controlCharacterNear(text, at)) {
			return new InvalidArgumentsException(
					"The arguments are not JSON near character %d, where a control character is not escaped; send one JSON object and write a line break in a string as \\n."
						.formatted(at));
		}
		return new InvalidArgumentsException(
				"The arguments are not JSON near character %d; send one well-formed JSON object.".formatted(at));
	}

	private static boolean controlCharacterNear(String text, long at) {
		for (long i = Math.max(0, at - 1); i <= at && i < text.length(); i++) {
			if (text.charAt((int) i) < ' ') {
				return true;
			}
		}
		return false;
	}

}
