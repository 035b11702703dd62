package io.github.idem.tool;

import java.math.BigInteger;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.Temporal;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

import io.github.idem.InvalidArgumentsException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.exc.MismatchedInputException;

import org.springframework.util.ClassUtils;

/**
 * Says to the model which argument does not convert and what is expected instead. Never
 * quotes the value, and keeps no cause: Jackson's own words quote it.
 */
final class Refusals {

	private Refusals() {
	}

	static InvalidArgumentsException refusal(String path, String expected) {
		String what = path.isEmpty() ? "The arguments do" : "Argument '" + path + "' does";
		return new InvalidArgumentsException("%s not fit, so nothing was done: send %s.".formatted(what, expected));
	}

	/**
	 * The refusal of an argument.
	 * @param name the argument
	 * @param type its type
	 * @param thrown why it did not convert
	 */
	static InvalidArgumentsException refusal(String name, JavaType type, RuntimeException thrown) {
		StringBuilder path = new StringBuilder(name);
		Class<?> expected = null;
		if (thrown instanceof JacksonException jackson) {
			for (JacksonException.Reference reference : jackson.getPath()) {
				String member = reference.getPropertyName();
				String longer = (member != null) ? member(path.toString(), member)
						: path + "[" + reference.getIndex() + "]";
				path.setLength(0);
				path.append(longer);
			}
			expected = (thrown instanceof MismatchedInputException mismatch) ? mismatch.getTargetType() : null;
			if (expected == null && !jackson.getPath().isEmpty()) {
				expected = Object.class;
			}
		}
		return refusal(path.toString(), (expected != null) ? expectation(expected) : expectation(type));
	}

	/**
	 * A member's path. Its name is the model's, and is shown only if it is a plain one.
	 */
	static String member(String path, String name) {
		String shown = name.matches("[A-Za-z_][A-Za-z0-9_-]{0,63}") ? name : "*";
		return path.isEmpty() ? shown : path + "." + shown;
	}

	static String expectation(JavaType type) {
		JavaType held = type.isReferenceType() ? type.getReferencedType() : type;
		return expectation((held != null) ? held.getRawClass() : type.getRawClass());
	}

	/** What values of a type look like in JSON. */
	private static String expectation(Class<?> type) {
		Class<?> wrapper = ClassUtils.resolvePrimitiveIfNecessary(type);
		if (wrapper.isEnum()) {
			return "one of " + Arrays.stream(wrapper.getEnumConstants())
				.map(StrictValues::written)
				.collect(Collectors.joining(", "));
		}
		if (Number.class.isAssignableFrom(wrapper)) {
			return number(wrapper);
		}
		if (wrapper == Boolean.class) {
			return "true or false";
		}
		if (CharSequence.class.isAssignableFrom(wrapper)) {
			return "text in quotes";
		}
		if (wrapper == Character.class) {
			return "text of one character in quotes";
		}
		if (wrapper == UUID.class) {
			return "a UUID in quotes";
		}
		if (Temporal.class.isAssignableFrom(wrapper) || wrapper == Duration.class) {
			return time(wrapper);
		}
		if (wrapper.isArray() || Collection.class.isAssignableFrom(wrapper)) {
			return "an array";
		}
		if (Map.class.isAssignableFrom(wrapper) || !wrapper.getName().startsWith("java")) {
			return "an object as its schema describes";
		}
		return "a value as its schema describes";
	}

	private static String number(Class<?> type) {
		if (type == Long.class) {
			return "a whole number from %d to %d".formatted(Long.MIN_VALUE, Long.MAX_VALUE);
		}
		if (type == Integer.class) {
			return "a whole number from %d to %d".formatted(Integer.MIN_VALUE, Integer.MAX_VALUE);
		}
		if (type == Short.class) {
			return "a whole number from %d to %d".formatted(Short.MIN_VALUE, Short.MAX_VALUE);
		}
		if (type == Byte.class) {
			return "a whole number from %d to %d".formatted(Byte.MIN_VALUE, Byte.MAX_VALUE);
		}
		return (type == BigInteger.class) ? "a whole number" : "a number";
	}

	private static String time(Class<?> type) {
		if (type == Duration.class) {
			return "a duration in quotes, such as PT15M";
		}
		if (type == LocalDate.class) {
			return "a date in quotes, such as 2026-11-30";
		}
		if (type == LocalTime.class) {
			return "a time of day in quotes, such as 12:30:00";
		}
		return "a date and time in quotes, such as 2026-11-30T12:30:00" + ((type == LocalDateTime.class) ? "" : "Z");
	}

}
