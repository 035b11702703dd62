package io.github.idem.tool;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;

import io.github.idem.tool.Json.Items;
import io.github.idem.tool.Json.Leaf;
import io.github.idem.tool.Json.Members;

import org.springframework.ai.chat.model.ToolContext;

/**
 * Random arguments for a method, mostly such as fit, and arguments that differ from them
 * in few places. Values come from few spellings of few values, so that equal ones, and
 * nearly equal ones, are common.
 */
final class RandomCalls {

	private static final List<String> WHOLE = List.of("0", "-0", "0.0", "1", "1.0", "1e0", "\"1\"", "10", "1e1", "2",
			"-1", "100", "127", "\"127\"");

	private static final List<String> ODD_WHOLE = List.of("1.7", "\"1.7\"", "3e9", "1e20", "\" 1\"", "\"01\"",
			"\"1.0\"", "2147483647", "9007199254740993", "9007199254740993.0", "9007199254740992",
			"\"9007199254740993\"", "2147483648", "128", "200", "\"abc\"", "\"\"", "true", "null", "[]", "{}",
			"\"null\"", "1e400", "1e-400", "1e999999999");

	private static final List<String> DECIMAL = List.of("29.9", "29.90", "2.99e1", "\"29.9\"", "\"29.90\"", "1", "1.0",
			"\"1\"", "0.1", "0", "-0.0", "12345678901234567.89", "12345678901234567.88", "12345678901234568",
			"12345678901234568.00", "9007199254740993", "9007199254740993.0", "\"12345678901234567.89\"",
			"\"12345678901234567.88\"", "0.10000000000000000001");

	private static final List<String> TEXT = List.of("\"a\"", "\"b\"", "\"\"", "\"29.9\"", "\"29.90\"", "\"1\"",
			"\"1.0\"", "\"\\u0061\"", "\"true\"", "\"null\"", "\"\\u00e9\"", "\"12 Main Street\"", "\"[1]\"", "\"{}\"",
			"\" 1\"", "\"a\\nb\"");

	private static final List<String> TAKEN_FOR_TEXT = List.of("1", "29.9", "29.90", "true", "false");

	private static final List<String> NO_TEXT = List.of("1", "1.0", "29.9", "29.90", "1e2", "-0", "0", "true", "false",
			"null", "12345678901234567.89", "123456789.5", "0.0001", "[]", "{}", "[\"a\"]");

	private static final List<String> NO_SIZE = List.of("\"small\"", "0", "1", "\"0\"", "\"\"", "null", "\"HUGE\"");

	private static final List<String> NO_TIME = List.of("\"soon\"", "\"\"", "true", "1e20", "{}", "[]", "null");

	private final Random random;

	RandomCalls(Random random) {
		this.random = random;
	}

	Members arguments(Method method) {
		LinkedHashMap<String, Json> members = new LinkedHashMap<>();
		Arrays.stream(method.getParameters())
			.filter((parameter) -> parameter.getType() != ToolContext.class)
			.forEach((parameter) -> members.put(parameter.getName(), value(parameter.getParameterizedType())));
		return new Members(members);
	}

	/** The same in other words, or with some other values, or both. */
	Members change(Members arguments, Method method) {
		Members changed = arguments;
		for (int i = this.random.nextInt(3); i >= 0; i--) {
			LinkedHashMap<String, Json> members = new LinkedHashMap<>(changed.members());
			var parameters = Arrays.stream(method.getParameters())
				.filter((parameter) -> parameter.getType() != ToolContext.class)
				.toList();
			var parameter = pick(parameters);
			String name = parameter.getName();
			Json before = members.getOrDefault(name, new Leaf("null"));
			switch (this.random.nextInt(30)) {
				case 0, 1, 2 -> members.put("thought", pick(List.of(new Leaf("\"hm\""), new Leaf("null"))));
				case 3, 4, 5, 6 -> members.put(name, (before instanceof Leaf) ? before : Json.quoted(before));
				case 7 -> members.put(name, new Leaf("null"));
				case 8 -> members.remove(name);
				default -> members.put(name, change(before, parameter.getParameterizedType()));
			}
			changed = shuffled(members);
		}
		return changed;
	}

	private Json change(Json value, Type type) {
		if (value instanceof Items items && !items.items().isEmpty() && this.random.nextInt(5) > 0) {
			List<Json> changed = new ArrayList<>(items.items());
			int index = this.random.nextInt(changed.size());
			switch (this.random.nextInt(6)) {
				case 0 -> Collections.shuffle(changed, this.random);
				case 1 -> changed.add(changed.get(index));
				case 2 -> changed.remove(index);
				default -> changed.set(index, change(changed.get(index), element(type)));
			}
			return new Items(changed);
		}
		if (value instanceof Members members && this.random.nextInt(5) > 0) {
			LinkedHashMap<String, Json> changed = new LinkedHashMap<>(members.members());
			Map<String, Type> declared = members(type, changed.keySet());
			String name = pick(new ArrayList<>(declared.isEmpty() ? List.of("x") : declared.keySet()));
			switch (this.random.nextInt(6)) {
				case 0 -> changed.put("thought", new Leaf(pick(List.of("1", "null"))));
				case 1 -> changed.put(name, new Leaf("null"));
				case 2 -> changed.remove(name);
				default -> {
					Type member = declared.getOrDefault(name, Object.class);
					changed.compute(name, (key, old) -> (old != null) ? change(old, member) : value(member));
				}
			}
			return shuffled(changed);
		}
		if (type == String.class && value instanceof Leaf leaf && this.random.nextInt(3) == 0) {
			String content = leaf.text().replace("\"", "");
			if (TAKEN_FOR_TEXT.contains(content)) {
				return new Leaf(leaf.text().startsWith("\"") ? content : "\"" + content + "\"");
			}
		}
		return value(type);
	}

	private Members shuffled(LinkedHashMap<String, Json> members) {
		List<String> names = new ArrayList<>(members.keySet());
		Collections.shuffle(names, this.random);
		LinkedHashMap<String, Json> shuffled = new LinkedHashMap<>();
		names.forEach((name) -> shuffled.put(name, members.get(name)));
		return new Members(shuffled);
	}

	private Json value(Type type) {
		Class<?> raw = raw(type);
		if (raw == Optional.class) {
			return (this.random.nextInt(6) == 0) ? new Leaf("null") : value(element(type));
		}
		if (raw.isArray() || Collection.class.isAssignableFrom(raw)) {
			List<Json> items = new ArrayList<>();
			boolean recursive = element(type) == RecordingTools.Tree.class;
			for (int i = this.random.nextInt(recursive ? 2 : 3); i > 0; i--) {
				items.add(value(element(type)));
			}
			return new Items(items);
		}
		if (raw.isRecord()) {
			LinkedHashMap<String, Json> members = new LinkedHashMap<>();
			members(type, List.of()).forEach((name, member) -> members.put(name, value(member)));
			return new Members(members);
		}
		if (raw == Map.class) {
			LinkedHashMap<String, Json> members = new LinkedHashMap<>();
			for (int i = this.random.nextInt(3); i > 0; i--) {
				members.put(pick(List.of("x", "y", "thought")), value(element(type)));
			}
			return new Members(members);
		}
		return new Leaf(leaf(raw));
	}

	private String leaf(Class<?> type) {
		boolean odd = this.random.nextInt(15) == 0;
		if (type == String.class) {
			return pick(odd ? NO_TEXT : (this.random.nextInt(6) == 0) ? TAKEN_FOR_TEXT : TEXT);
		}
		if (type == Object.class) {
			return pick(pick(List.of(WHOLE, DECIMAL, TEXT, NO_TEXT)));
		}
		if (type == boolean.class || type == Boolean.class) {
			return pick(odd ? List.of("1", "0", "\"True\"", "\"yes\"", "null", "1.0", "[]")
					: List.of("true", "false", "\"true\"", "\"false\""));
		}
		if (type == RecordingTools.Size.class) {
			return pick(odd ? NO_SIZE : List.of("\"SMALL\"", "\"LARGE\"", "\"SMALL\"", "\" SMALL\""));
		}
		if (type == double.class || type == float.class || type == BigDecimal.class) {
			return pick(odd ? ODD_WHOLE : DECIMAL);
		}
		if (odd && (Temporal.class.isAssignableFrom(type) || type == Duration.class || type == UUID.class)) {
			return pick(NO_TIME);
		}
		if (type == LocalDate.class) {
			return pick(List.of("\"2026-01-02\"", "\"2026-01-03\"", "[2026,1,2]", "20455", "\"20455\"",
					"\"2026-01-02T00:00:00Z\""));
		}
		if (type == Instant.class) {
			return pick(List.of("\"2026-01-02T00:00:00Z\"", "\"2026-01-02T00:00:00.000Z\"", "1767312000",
					"1767312000.0", "\"1767312000\"", "1767312000.5"));
		}
		if (type == Duration.class) {
			return pick(List.of("\"PT1H\"", "\"PT60M\"", "3600", "3600.0", "\"3600\"", "\"PT2H\"", "1.5", "\"1.5\""));
		}
		if (type == UUID.class) {
			return pick(List.of("\"123e4567-e89b-12d3-a456-426614174000\"", "\"123E4567-E89B-12D3-A456-426614174000\"",
					"\"123e4567-e89b-12d3-a456-426614174001\""));
		}
		return pick(odd ? ODD_WHOLE : WHOLE);
	}

	private <T> T pick(List<T> from) {
		return from.get(this.random.nextInt(from.size()));
	}

	static Class<?> raw(Type type) {
		return (type instanceof ParameterizedType generic) ? (Class<?>) generic.getRawType() : (Class<?>) type;
	}

	/** What a list, an array, an optional or a map holds. */
	static Type element(Type type) {
		if (type instanceof ParameterizedType generic) {
			Type[] arguments = generic.getActualTypeArguments();
			return arguments[arguments.length - 1];
		}
		Class<?> component = raw(type).getComponentType();
		return (component != null) ? component : Object.class;
	}

	/** The members of a record, or of a map that has these names. */
	static Map<String, Type> members(Type type, Collection<String> names) {
		Map<String, Type> members = new LinkedHashMap<>();
		if (raw(type) == Optional.class) {
			return members(element(type), names);
		}
		if (raw(type).isRecord()) {
			for (RecordComponent component : raw(type).getRecordComponents()) {
				members.put(component.getName(), component.getGenericType());
			}
		}
		else {
			names.forEach((name) -> members.put(name, element(type)));
		}
		return members;
	}

}
