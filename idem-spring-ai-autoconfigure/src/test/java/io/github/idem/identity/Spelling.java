package io.github.idem.identity;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.github.idem.identity.RandomArguments.Kind;
import io.github.idem.identity.RandomArguments.Shape;
import org.jspecify.annotations.Nullable;

/** Writes a value as JSON, each time differently and always meaning the same. */
final class Spelling {

	private static final List<String> SPACES = List.of("", "", "", " ", "\n", "\t \r\n");

	private final Random random;

	Spelling(Random random) {
		this.random = random;
	}

	String write(Map<String, @Nullable Object> arguments, Shape shape) {
		return space() + value(arguments, shape, true) + space();
	}

	private String value(@Nullable Object value, Shape shape, boolean top) {
		if (value instanceof Map<?, ?> members) {
			return object(members, shape, top);
		}
		if (value instanceof List<?> items) {
			Shape item = (shape.kind() == Kind.ARRAY) ? shape.item() : Shape.ANY;
			List<String> written = new ArrayList<>();
			items.forEach((each) -> written.add(space() + value(each, item, false) + space()));
			return "[" + String.join(",", written) + "]";
		}
		if (value instanceof String text) {
			return text(text);
		}
		boolean quoted = this.random.nextInt(3) == 0;
		if (value instanceof BigDecimal number) {
			String written = number(number);
			return (quoted && Spelling.survivesDouble(number) && shape.kind() == Kind.NUMBER) ? text(written) : written;
		}
		return (quoted && value instanceof Boolean && shape.kind() == Kind.BOOLEAN) ? text(value.toString())
				: "" + value;
	}

	private String object(Map<?, ?> members, Shape shape, boolean top) {
		List<String> written = new ArrayList<>();
		members.forEach((name, value) -> {
			Shape place = shape.member((String) name);
			String spelled = value(value, place, false);
			boolean holds = (value instanceof Map && place.kind() == Kind.OBJECT)
					|| (value instanceof List && place.kind() == Kind.ARRAY);
			written.add(member((String) name, (top && holds && this.random.nextInt(4) == 0) ? text(spelled) : spelled));
		});
		for (String name : RandomArguments.NAMES) {
			if (!members.containsKey(name) && this.random.nextInt(4) == 0) {
				if (!shape.counts(name)) {
					written.add(member(name, this.random.nextBoolean() ? "null" : "[{\"x\":\"1\"},2]"));
				}
				else if (top || shape.members().containsKey(name)) {
					written.add(member(name, "null"));
				}
			}
		}
		if (top && this.random.nextInt(4) == 0) {
			written.add(member("request_id", "\"forged\""));
		}
		Collections.shuffle(written, this.random);
		return "{" + (written.isEmpty() ? space() : String.join(",", written)) + "}";
	}

	private String member(String name, String value) {
		return space() + text(name) + space() + ":" + space() + value + space();
	}

	private String text(String text) {
		StringBuilder written = new StringBuilder("\"");
		for (char c : text.toCharArray()) {
			if (this.random.nextInt(4) == 0) {
				String hex = "%04x".formatted((int) c);
				written.append("\\u").append(this.random.nextBoolean() ? hex : hex.toUpperCase(java.util.Locale.ROOT));
			}
			else if (c == '"' || c == '\\' || (c == '/' && this.random.nextBoolean())) {
				written.append('\\').append(c);
			}
			else if (c < ' ') {
				written.append("\\u%04x".formatted((int) c));
			}
			else {
				written.append(c);
			}
		}
		return written.append('"').toString();
	}

	private static boolean survivesDouble(BigDecimal number) {
		return new BigDecimal(Double.toString(number.doubleValue())).compareTo(number) == 0;
	}

	/** The value with zeros at its end, or its point elsewhere, or both. */
	private String number(BigDecimal number) {
		BigDecimal padded = number.setScale(Math.max(number.scale(), 0) + this.random.nextInt(3));
		if (this.random.nextBoolean()) {
			return ((number.signum() == 0 && this.random.nextBoolean()) ? "-" : "") + padded.toPlainString();
		}
		int shift = this.random.nextInt(13) - 6;
		String exponent = ((shift >= 0 && this.random.nextBoolean()) ? "+" : "")
				+ (this.random.nextBoolean() ? shift : ((shift < 0) ? "-0" : "0") + Math.abs(shift));
		return padded.movePointLeft(shift).toPlainString() + (this.random.nextBoolean() ? "e" : "E") + exponent;
	}

	private String space() {
		return SPACES.get(this.random.nextInt(SPACES.size()));
	}

}
