package io.github.idem.operation;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Recognises results by which tools report a failure instead of throwing it: a text that
 * begins like an error message, or JSON that says so, also inside a string or a list.
 * Errs on the side of an error: taking a failure for a success would replay it for ever,
 * the other way round somebody has a look.
 */
final class ErrorTexts {

	private static final int LONGEST_BEGINNING = 2000;

	/** What is longer is content, and judged by its beginning. */
	private static final int LONGEST_JSON = 100_000;

	private static final int DEEPEST = 4;

	/** {@code errors: 0} is none. */
	private static final String NONE = "(?!\\s*[:=]\\s*(none|null|0|\"\"|false)\\s*\"?\\s*([,;}\\n]|\\.?\\s*$))";

	private static final Pattern BEGINNING = Pattern.compile("[\"'\\s*_#>\\[(]*+(" + String.join("|",
			"(errors?|exceptions?|failures?|failed|fatal|timeout|timed out|http error|internal server error)\\b" + NONE
					+ "\\s*([:!.,;({\\[\\])\"'*\\-–—]|\\d{3}\\b|occurred|while|when|during|\\w+ing\\b|in\\b|to\\b|on\\b|$)",
			"(an?|the|some|unexpected|internal|unknown|i/o|io|network|server|gateway|connection|socket)\\s(\\w+\\s){0,2}(error|exception|failure|timeout occurred)\\b"
					+ NONE,
			"(the\\s)?(read|connect|connection|request|call|operation|server|gateway|socket|service)\\b(?:\\s\\w+){0,3}\\s(timed out|timeout|failed|refused|reset|aborted|unavailable)\\b",
			"(http\\s?(/[\\d.]+)?\\s?(status\\s?)?(code\\s?)?:?\\s?)?[45]\\d\\d\\s(bad|unauthorized|forbidden|not|method|request|conflict|gone|too|unprocessable|internal|service|gateway)\\b",
			"http\\s?(/[\\d.]+)?\\s?(status\\s?)?(code\\s?)?:?\\s?[45]\\d\\d\\b", "(unable|failed|not able) to\\b",
			"(could not|couldn['’]t)\\b") + ").*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

	private static final Pattern CLASS_NAME = Pattern
		.compile("[\"'\\s]*+(?:[a-z][\\w$]*+\\.)++[\\w$]*(Exception|Error)\\b.*", Pattern.DOTALL);

	/** Names of fields without their case and without what separates their words. */
	private static final Set<String> ERROR = Set.of("error", "errors", "exception", "errormessage", "errorcode",
			"errordescription", "failure", "fault");

	private static final Map<String, Boolean> FLAGS = Map.of("iserror", true, "haserror", true, "haserrors", true,
			"failed", true, "timedout", true, "success", false, "ok", false, "succeeded", false, "successful", false);

	private static final Set<String> STATUS = Set.of("status", "statuscode", "httpstatus", "state", "outcome");

	private static final Set<String> FAILED = Set.of("error", "failed", "failure", "fault", "timeout", "timedout",
			"exception");

	private static final Set<String> TEXT = Set.of("text", "message", "detail", "content", "result");

	private static final Set<String> NOTHING = Set.of("", "none", "null", "false", "0", "no", "ok");

	private ErrorTexts() {
	}

	static boolean looksLikeError(@Nullable String result) {
		return result != null && text(result, 0);
	}

	private static boolean text(String text, int depth) {
		JsonNode json = (depth < DEEPEST && text.length() <= LONGEST_JSON) ? json(text) : null;
		if (json != null) {
			return json(json, depth + 1);
		}
		String beginning = (text.length() > LONGEST_BEGINNING) ? text.substring(0, LONGEST_BEGINNING) : text;
		return BEGINNING.matcher(beginning).matches() || CLASS_NAME.matcher(beginning).matches();
	}

	private static @Nullable JsonNode json(String text) {
		String stripped = text.strip();
		if (stripped.isEmpty() || "{[\"".indexOf(stripped.charAt(0)) < 0) {
			return null;
		}
		try {
			return JsonMapper.shared().readTree(stripped);
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	private static boolean json(JsonNode json, int depth) {
		if (json.isString()) {
			return text(json.stringValue(), depth);
		}
		if (json.isArray()) {
			return depth < DEEPEST && json.valueStream().anyMatch((element) -> json(element, depth + 1));
		}
		return json.propertyStream().anyMatch((field) -> field(plain(field.getKey()), field.getValue(), depth));
	}

	private static boolean field(String name, JsonNode value, int depth) {
		if (name.equals(Answer.Notice.FIELD)) {
			return isNoSuccess(value.path("status").asString(""));
		}
		if (ERROR.contains(name)) {
			return value.isContainer() ? !value.isEmpty() : !NOTHING.contains(plain(value.asString("")));
		}
		Boolean bad = FLAGS.get(name);
		if (bad != null) {
			return plain(value.asString("")).equals(bad.toString());
		}
		if (STATUS.contains(name)) {
			String status = plain(value.asString(""));
			return FAILED.contains(status) || status.matches("[45]\\d\\d");
		}
		return TEXT.contains(name) && depth < DEEPEST && json(value, depth + 1);
	}

	/** Of another protected tool, which said why it has no result. */
	private static boolean isNoSuccess(String noticed) {
		return Stream.of(Answer.Notice.Status.values())
			.filter((status) -> status != Answer.Notice.Status.ALREADY_DONE)
			.anyMatch((status) -> status.name().equals(noticed));
	}

	private static String plain(String text) {
		return text.strip().toLowerCase(Locale.ROOT).replaceAll("[\\s_-]", "");
	}

}
