package io.github.idem.tool;

import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.temporal.Temporal;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import io.github.idem.tool.Json.Items;
import io.github.idem.tool.Json.Leaf;
import io.github.idem.tool.Json.Members;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The closed list of what makes two calls different although the method would receive
 * equal values. Each is on the safe side: a call too many is told apart, none too few.
 */
enum DeliberateDifference {

	/** Of a number, digits that a double (or float) does not keep. */
	DIGITS_BEYOND_A_DOUBLE,
	/** A number where the tool takes text. */
	NUMBER_FOR_TEXT,
	/** A boolean where the tool takes text. */
	BOOLEAN_FOR_TEXT,
	/**
	 * Two ways to write one date, time, UUID or enum constant. An empty array is one to
	 * write no date inside an object: that is Jackson's doing.
	 */
	SPELLING_OF_TEXT,
	/** Order and repeats in an array that becomes a set. */
	ORDER_OF_A_SET,
	/**
	 * Quotes, nulls and undeclared members where the schema does not say what is taken:
	 * in maps, optionals, bytes and types that contain themselves.
	 */
	SCHEMA_IS_SILENT,
	/** Not in the list: a defect. */
	UNEXPLAINED;

	private static final JsonMapper MAPPER = JsonMapper.shared();

	/** Why two values of one parameter differ. */
	static Set<DeliberateDifference> between(Type type, @Nullable Json one, @Nullable Json other) {
		Set<DeliberateDifference> found = EnumSet.noneOf(DeliberateDifference.class);
		explain(type, unquoted(one), unquoted(other), true, found);
		return found;
	}

	private static void explain(Type type, @Nullable Json one, @Nullable Json other, boolean told,
			Set<DeliberateDifference> found) {
		Class<?> raw = RandomCalls.raw(type);
		if (isNull(one) && isNull(other)) {
			if ((one == null) != (other == null) && !told) {
				found.add(SCHEMA_IS_SILENT);
			}
		}
		else if (Temporal.class.isAssignableFrom(raw)) {
			if (!Objects.equals(one, other)) {
				found.add(SPELLING_OF_TEXT);
			}
		}
		else if (one == null || other == null) {
			found.add(UNEXPLAINED);
		}
		else if (raw == Optional.class) {
			explain(RandomCalls.element(type), one, other, false, found);
		}
		else if (one instanceof Leaf a && other instanceof Leaf b) {
			if (!a.equals(b)) {
				leaf(raw, a.text(), b.text(), told, found);
			}
		}
		else if (one instanceof Items a && other instanceof Items b) {
			items(type, a, b, told, found);
		}
		else if (one instanceof Members a && other instanceof Members b) {
			members(type, a, b, told, found);
		}
		else {
			found.add(UNEXPLAINED);
		}
	}

	private static void items(Type type, Items one, Items other, boolean told, Set<DeliberateDifference> found) {
		if (Set.class.isAssignableFrom(RandomCalls.raw(type))) {
			found.add(ORDER_OF_A_SET);
		}
		else if (one.items().size() != other.items().size()) {
			found.add(UNEXPLAINED);
		}
		else {
			boolean recursive = RandomCalls.element(type) == RecordingTools.Tree.class;
			for (int i = 0; i < one.items().size(); i++) {
				explain(RandomCalls.element(type), one.items().get(i), other.items().get(i), told && !recursive, found);
			}
		}
	}

	private static void members(Type type, Members one, Members other, boolean told, Set<DeliberateDifference> found) {
		Set<String> names = new HashSet<>(one.members().keySet());
		names.addAll(other.members().keySet());
		boolean record = RandomCalls.raw(type).isRecord();
		Map<String, Type> declared = RandomCalls.members(type, names);
		for (String name : names) {
			Type member = declared.get(name);
			Json a = one.members().get(name);
			Json b = other.members().get(name);
			if (member != null) {
				explain(member, a, b, told && record, found);
			}
			else if (!told && (a == null || !a.equals(b))) {
				found.add(SCHEMA_IS_SILENT);
			}
		}
	}

	private static void leaf(Class<?> type, String one, String other, boolean told, Set<DeliberateDifference> found) {
		boolean quotesDiffer = one.startsWith("\"") != other.startsWith("\"");
		if (type == String.class || (type == Object.class && one.startsWith("\"") && !quotesDiffer)) {
			text(one, other, found);
		}
		else if (!isNumber(content(one)) || !isNumber(content(other))) {
			notNumber(type, content(one).equals(content(other)), told, found);
		}
		else if (type == Object.class || number(type)) {
			boolean same = new BigDecimal(content(one)).compareTo(new BigDecimal(content(other))) == 0;
			boolean silent = !told || type == byte.class;
			if (silent && (quotesDiffer || one.startsWith("\"")) && type != Object.class) {
				found.add(SCHEMA_IS_SILENT);
			}
			else if (!same || (quotesDiffer && !survivesDouble(content(one)))) {
				found.add(DIGITS_BEYOND_A_DOUBLE);
			}
		}
		else {
			notNumber(type, false, told, found);
		}
	}

	private static void notNumber(Class<?> type, boolean sameContent, boolean told, Set<DeliberateDifference> found) {
		if (type == boolean.class || type == Boolean.class) {
			if (!sameContent || !told) {
				found.add(sameContent ? SCHEMA_IS_SILENT : UNEXPLAINED);
			}
		}
		else {
			found.add((number(type) || type == Object.class) ? UNEXPLAINED : SPELLING_OF_TEXT);
		}
	}

	private static boolean isNumber(String text) {
		return text.matches("-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
	}

	private static void text(String one, String other, Set<DeliberateDifference> found) {
		String plain = one.startsWith("\"") ? other : one;
		if (plain.startsWith("\"")) {
			if (!content(one).equals(content(other))) {
				found.add(UNEXPLAINED);
			}
		}
		else {
			found.add(plain.startsWith("t") || plain.startsWith("f") ? BOOLEAN_FOR_TEXT : NUMBER_FOR_TEXT);
		}
	}

	private static boolean number(Class<?> type) {
		return Number.class.isAssignableFrom(type) || (type.isPrimitive() && type != boolean.class);
	}

	static boolean survivesDouble(String number) {
		double value = Double.parseDouble(number);
		return !Double.isInfinite(value)
				&& new BigDecimal(Double.toString(value)).compareTo(new BigDecimal(number)) == 0;
	}

	private static boolean isNull(@Nullable Json json) {
		return json == null || json.text().equals("null");
	}

	private static String content(String leaf) {
		return leaf.startsWith("\"") ? MAPPER.readTree(leaf).asString() : leaf;
	}

	/** The array or object in an argument's quotes. */
	private static @Nullable Json unquoted(@Nullable Json json) {
		if (json instanceof Leaf leaf && (leaf.text().startsWith("\"[") || leaf.text().startsWith("\"{"))) {
			Json held = Json.parse(content(leaf.text()));
			return (held != null) ? held : json;
		}
		return json;
	}

}
