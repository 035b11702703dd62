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
	private static final String NONE = "(?!\\s*[:=]\\s*(" + String.join("|",
			"(none|null|0|\"\"|false|\\[\\s*]|\\{\\s*}|no (errors?|failures?|exceptions?))\\s*\"?\\s*([,;}\\n]|\\.?\\s*$)",
			"0\\s*([(/]|(out )?of\\b)") + "))";

	private static final String PUNCTUATION = "\\s*([:!.,;({\\[\\])\"'*\\-–—]|\\d{3}\\b|$)";

	private static final String HAPPENED = "\\s+(((has|had|have)\\s)?(occurred|happened|arisen|been \\w+)"
			+ "|was (thrown|raised|caught|encountered|returned|reported)|while|when|during|because|due|with|after|in|to|on|at|from|code|\\d+"
			+ "|(?!tracking|handling|reporting|logging|monitoring)\\w+ing)\\b";

	private static final String STATUS_CODE = "(http\\s?(/[\\d.]+)?\\s?)?(status\\s?)?(code\\s?)?:?\\s?";

	private static final Pattern BEGINNING = Pattern.compile("[\"'\\s*_#>\\[(]*+(" + String.join("|",
			"(errors?|exceptions?|failures?|failed|fatal|timeout|timed out|http error|internal server error)\\b" + NONE
					+ "(" + PUNCTUATION + "|" + HAPPENED + ")",
			"(an?|the|some|unexpected|internal|unknown|i/o|io|network|server|gateway|connection|socket)\\s(\\w+\\s){0,2}"
					+ "(timeout occurred\\b|(error|exception|failure)\\b" + NONE + "(" + PUNCTUATION + "|" + HAPPENED
					+ "))",
			"(the\\s)?(read|connect|connection|request|call|operation|server|gateway|socket|service)\\b(?:\\s\\w+){0,3}"
					+ "\\s(timed out|timeout|failed(?!\\sover\\b)|refused|unavailable)\\b",
			"((the|your)\\s)?(payment|charge|order|transfer|refund|booking|transaction|reservation|purchase|delivery|shipment"
					+ "|message|e-?mail|upload|update|job|task|command|query|attempt)\\s(?:\\w+\\s){0,3}(timed out|failed(?!\\sover\\b))\\b",
			"(the\\s)?(connection|request|call|operation|transaction)\\s((was|has been)\\s)?(reset|aborted)\\b",
			STATUS_CODE
					+ "[45]\\d\\d\\s(bad (request|gateway)|unauthorized|forbidden|not |method not|request |conflict|gone\\b"
					+ "|too |unprocessable|internal |service unavailable|gateway time|payment required|precondition)",
			"http\\s?(/[\\d.]+)?\\s?(status\\s?)?(code\\s?)?:?\\s?(4([012]\\d|31|51|60|99)|5[0-3]\\d)\\b",
			"(unable|failed|not able) to\\b", "(could not|couldn['’]t)\\b") + ").*",
			Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

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

	private static final Pattern NOTHING = Pattern.compile("|none|null|false|0+|no|ok|success|noerrors?|n/a");

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
			return !isNothing(value);
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

	/** Also an object that has nothing in it but that. */
	private static boolean isNothing(JsonNode value) {
		if (value.isContainer()) {
			return value.isEmpty() || (value.isObject() && value.valueStream().noneMatch(JsonNode::isContainer)
					&& value.valueStream().allMatch(ErrorTexts::isNothing));
		}
		return NOTHING.matcher(plain(value.asString(""))).matches();
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
