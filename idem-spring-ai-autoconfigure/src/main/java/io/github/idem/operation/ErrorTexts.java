package io.github.idem.operation;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Recognises results by which tools report a failure instead of throwing it. Errs on the
 * side of an error: taking a failure for a success would replay it for ever, the other
 * way round somebody has a look.
 */
final class ErrorTexts {

	private static final int LONGEST_BEGINNING = 2000;

	private static final Pattern TEXT = Pattern
		.compile("\"?\\s*(error|exception|failure|failed|fatal|timeout|timed out|http error|internal server error)\\b"
				+ "(?!s?\\s*[:=]\\s*(none|null|0|\"\"|false))\\s*([:!.,;({\\[\"\\-]|\\d{3}\\b|occurred|while|calling|in\\b|to\\b|$).*",
				Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

	private static final Pattern CLASS_NAME = Pattern.compile("\"?\\s*([a-z][\\w$]*\\.)+\\w*(Exception|Error)\\b.*",
			Pattern.DOTALL);

	private static final Pattern OBJECT = Pattern.compile(
			"\\s*\\{\\s*\"(error|errors|exception|error_message|errorMessage)\"\\s*:\\s*(?!(null|false|\"\"|\\[\\s*]|\\{\\s*}|0)\\s*[,}])"
					+ ".*|\\s*\\{[^{}]*\"(isError|is_error)\"\\s*:\\s*true\\b.*"
					+ "|\\s*\\{[^{}]*\"(success|ok)\"\\s*:\\s*false\\b.*"
					+ "|\\s*\\{[^{}]*\"status\"\\s*:\\s*\"(error|failed|failure)\".*",
			Pattern.DOTALL | Pattern.CASE_INSENSITIVE);

	private ErrorTexts() {
	}

	static boolean looksLikeError(@Nullable String result) {
		if (result == null || result.isEmpty()) {
			return false;
		}
		String beginning = (result.length() > LONGEST_BEGINNING) ? result.substring(0, LONGEST_BEGINNING) : result;
		return TEXT.matcher(beginning).matches() || CLASS_NAME.matcher(beginning).matches()
				|| OBJECT.matcher(beginning).matches();
	}

}
