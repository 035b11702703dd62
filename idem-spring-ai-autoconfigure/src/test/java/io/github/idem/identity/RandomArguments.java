package io.github.idem.identity;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.StringJoiner;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * Random schemas and arguments, from so few names and values that equal ones are common.
 * And what arguments mean under a schema, said a second time and without the code that is
 * tested.
 */
final class RandomArguments {

	static final List<String> NAMES = List.of("a", "b", "aa", "\u00e9", "\ud83d\ude00", "\uff00", "x/\"y\\");

	private static final List<String> TEXTS = List.of("", "1", "1.0", "1.50", "true", "false", "null", "a", "a\nb",
			"\"", "\\", "\",\"", "e\u0301", "\u00e9", "\ud83d\ude00", "1e0", "[]", "{}");

	private static final List<String> NUMBERS = List.of("0", "1", "-1", "10", "1.5", "0.1", "100000", "1e5",
			"12345678901234567.89", "12345678901234568", "0.000001", "-1.5");

	private final Random random;

	RandomArguments(Random random) {
		this.random = random;
	}

	Shape schema() {
		return object(3);
	}

	Map<String, @Nullable Object> arguments(Shape shape) {
		return members(shape, 3);
	}

	/** The same again, except for one thing somewhere; or by chance no other at all. */
	Map<String, @Nullable Object> change(Map<String, @Nullable Object> arguments, Shape shape) {
		Map<String, @Nullable Object> changed = new LinkedHashMap<>(arguments);
		if (changed.isEmpty() || this.random.nextInt(4) == 0) {
			String name = pick(NAMES);
			changed.put(name, value(shape.member(name), 2));
			return changed;
		}
		String name = pick(new ArrayList<>(changed.keySet()));
		changed.put(name, changeValue(changed.get(name), shape.member(name)));
		return changed;
	}

	@SuppressWarnings("unchecked")
	private @Nullable Object changeValue(@Nullable Object value, Shape shape) {
		if (value instanceof Map<?, ?> members && this.random.nextInt(4) > 0) {
			return change((Map<String, @Nullable Object>) members, shape);
		}
		if (value instanceof List<?> items && !items.isEmpty() && this.random.nextInt(4) > 0) {
			List<@Nullable Object> changed = new ArrayList<>(items);
			int index = this.random.nextInt(changed.size());
			changed.set(index,
					changeValue(changed.get(index), (shape.kind() == Kind.ARRAY) ? shape.item() : Shape.ANY));
			return changed;
		}
		return value(shape, 2);
	}

	private Shape object(int depth) {
		Map<String, Shape> members = new TreeMap<>();
		for (int i = this.random.nextInt(4); i >= 0; i--) {
			members.put(pick(NAMES), shape(depth - 1));
		}
		return new Shape(Kind.OBJECT, members, this.random.nextBoolean(), null);
	}

	private Shape shape(int depth) {
		Kind kind = Kind.values()[this.random.nextInt((depth > 0) ? 6 : 4)];
		return switch (kind) {
			case OBJECT -> object(depth);
			case ARRAY -> new Shape(kind, Map.of(), false, shape(depth - 1));
			default -> new Shape(kind, Map.of(), false, null);
		};
	}

	private Map<String, @Nullable Object> members(Shape shape, int depth) {
		Map<String, @Nullable Object> members = new LinkedHashMap<>();
		shape.members().forEach((name, member) -> {
			if (this.random.nextInt(3) > 0) {
				members.put(name, value(member, depth - 1));
			}
		});
		if (this.random.nextInt(3) == 0) {
			members.put(pick(NAMES), value(Shape.ANY, depth - 1));
		}
		return members;
	}

	private @Nullable Object value(Shape shape, int depth) {
		Kind kind = shape.kind();
		if (kind == Kind.ANY || this.random.nextInt(10) == 0) {
			kind = Kind.values()[1 + this.random.nextInt((depth > 0) ? 5 : 3)];
		}
		if (this.random.nextInt(10) == 0) {
			return null;
		}
		return switch (kind) {
			case ANY, TEXT -> pick(TEXTS);
			case NUMBER -> new BigDecimal(pick(NUMBERS));
			case BOOLEAN -> this.random.nextBoolean();
			case OBJECT -> members((shape.kind() == kind) ? shape : Shape.ANY, depth);
			case ARRAY -> {
				List<@Nullable Object> items = new ArrayList<>();
				for (int i = this.random.nextInt(3); i > 0; i--) {
					items.add(value((shape.kind() == kind) ? shape.item() : Shape.ANY, depth - 1));
				}
				yield items;
			}
		};
	}

	private <T> T pick(List<T> from) {
		return from.get(this.random.nextInt(from.size()));
	}

	/** What arguments mean: two are equal calls exactly if these are equal. */
	static Object meaning(Map<String, @Nullable Object> arguments, Shape shape) {
		Map<String, @Nullable Object> meant = new TreeMap<>();
		arguments.forEach((name, argument) -> {
			Shape place = shape.member(name);
			if (argument != null && shape.counts(name)) {
				boolean object = place.kind() == Kind.OBJECT && argument.equals("{}");
				boolean array = place.kind() == Kind.ARRAY && argument.equals("[]");
				meant.put(name, object ? Map.of() : array ? List.of() : valueMeaning(argument, place));
			}
		});
		return meant;
	}

	private static @Nullable Object valueMeaning(@Nullable Object value, Shape shape) {
		if (value instanceof Map<?, ?> members) {
			Map<String, @Nullable Object> meant = new TreeMap<>();
			members.forEach((key, member) -> {
				String name = (String) key;
				if (shape.counts(name) && (member != null || !shape.members().containsKey(name))) {
					meant.put(name, valueMeaning(member, shape.member(name)));
				}
			});
			return meant;
		}
		if (value instanceof List<?> items) {
			Shape item = (shape.kind() == Kind.ARRAY) ? shape.item() : Shape.ANY;
			List<@Nullable Object> meant = new ArrayList<>();
			items.forEach((each) -> meant.add(valueMeaning(each, item)));
			return meant;
		}
		if (value instanceof BigDecimal number) {
			return (number.signum() == 0) ? BigDecimal.ZERO : number.stripTrailingZeros();
		}
		if (shape.kind() == Kind.NUMBER && value instanceof String text
				&& text.matches("-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?")) {
			return valueMeaning(new BigDecimal(text), shape);
		}
		if (shape.kind() == Kind.BOOLEAN && ("true".equals(value) || "false".equals(value))) {
			return Boolean.valueOf((String) value);
		}
		return value;
	}

	enum Kind {

		ANY, TEXT, NUMBER, BOOLEAN, OBJECT, ARRAY

	}

	/** A schema, as far as it is made here. */
	record Shape(Kind kind, Map<String, Shape> members, boolean closed, @Nullable Shape items) {

		static final Shape ANY = new Shape(Kind.ANY, Map.of(), false, null);

		Shape member(String name) {
			return this.members.getOrDefault(name, ANY);
		}

		boolean counts(String name) {
			return !this.closed || this.members.containsKey(name);
		}

		Shape item() {
			return (this.items != null) ? this.items : ANY;
		}

		String json() {
			return switch (this.kind) {
				case ANY -> "{}";
				case TEXT -> "{\"type\":\"string\"}";
				case NUMBER -> "{\"type\":[\"number\",\"null\"]}";
				case BOOLEAN -> "{\"anyOf\":[{\"type\":\"boolean\"},{\"type\":\"null\"}]}";
				case ARRAY -> "{\"type\":\"array\",\"items\":" + item().json() + "}";
				case OBJECT -> {
					StringJoiner properties = new StringJoiner(",");
					this.members.forEach((name, shape) -> properties
						.add("\"" + name.replace("\\", "\\\\").replace("\"", "\\\"") + "\":" + shape.json()));
					yield "{\"type\":\"object\",\"properties\":{" + properties + "}"
							+ (this.closed ? ",\"additionalProperties\":false}" : "}");
				}
			};
		}

	}

}
