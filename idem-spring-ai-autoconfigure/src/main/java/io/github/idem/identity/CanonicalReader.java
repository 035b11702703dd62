package io.github.idem.identity;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.github.idem.InvalidArgumentsException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads arguments once and writes their canonical form; {@link ArgumentSchema} says what
 * that is.
 * <p>
 * The form is injective: strings are quoted, nothing else is, and brackets, commas and
 * colons stand where JSON has them. Members that don't count are written as well and
 * taken back, so that one rule of strictness holds for the whole text.
 */
final class CanonicalReader {

	private final String text;

	private final Set<String> reserved;

	private final Set<String> ignoring;

	private final int literalFrom;

	private final Utf8Buffer out;

	private final List<Members> levels = new ArrayList<>(4);

	private final Set<String> missing;

	private final Set<String> unquoted = new HashSet<>();

	private boolean sawReserved;

	CanonicalReader(String text, Set<String> reserved, Set<String> ignoring, Set<String> required, int literalFrom) {
		this.text = text;
		this.reserved = reserved;
		this.ignoring = ignoring;
		this.literalFrom = literalFrom;
		this.missing = new LinkedHashSet<>(required);
		this.out = new Utf8Buffer(text.length() + text.length() / 4);
	}

	/** Of the required members, those that were not there or were {@code null}. */
	List<String> missing() {
		return List.copyOf(this.missing);
	}

	boolean sawReserved() {
		return this.sawReserved;
	}

	/** Arguments that were text and counted as the array or object in it. */
	Set<String> unquoted() {
		return this.unquoted;
	}

	/** May be called once. */
	Utf8Buffer read(Place root) {
		try (JsonParser parser = StrictJson.parser(this.text)) {
			JsonToken first = parser.nextToken();
			if (first == JsonToken.VALUE_STRING) {
				throw new InvalidArgumentsException(
						"The arguments are a JSON string; send the JSON object itself, not text that holds it.");
			}
			if (first != JsonToken.START_OBJECT) {
				throw new InvalidArgumentsException("The arguments are not a JSON object; send one JSON object.");
			}
			object(parser, root, 1);
			refuseMore(parser);
		}
		catch (JacksonException ex) {
			throw StrictJson.refusal(ex, this.text);
		}
		return this.out;
	}

	private static void refuseMore(JsonParser parser) {
		long at;
		try {
			if (parser.nextToken() == null) {
				return;
			}
			at = parser.currentTokenLocation().getCharOffset();
		}
		catch (JacksonException ex) {
			at = StrictJson.offset(ex);
		}
		throw new InvalidArgumentsException(
				"There is more after the JSON object, at character %d; send one JSON object and nothing else."
					.formatted(at));
	}

	private void value(JsonParser parser, JsonToken token, Place place, int depth) {
		switch (token) {
			case START_OBJECT -> object(parser, place, depth + 1);
			case START_ARRAY -> array(parser, place, depth + 1);
			case VALUE_STRING -> text(parser, place);
			case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> JsonNumbers.write(parser.getStringCharacters(),
					parser.getStringOffset(), parser.getStringLength(), this.out);
			case VALUE_TRUE -> this.out.writeAscii("true");
			case VALUE_FALSE -> this.out.writeAscii("false");
			case VALUE_NULL -> this.out.writeAscii("null");
			default -> throw new IllegalStateException("No value: " + token);
		}
	}

	private void object(JsonParser parser, Place place, int depth) {
		Members members = level(parser, depth);
		this.out.write('{');
		while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
			String name = parser.currentName();
			int start = this.out.length();
			members.add(name, start);
			Place.Member declared = place.declared(name);
			if (declared != null) {
				this.out.write(declared.written());
			}
			else if (!this.out.writeName(name)) {
				throw halfCharacter(parser);
			}
			JsonToken token = parser.nextToken();
			Place valuePlace = (declared != null) ? declared.place() : place.others();
			if (depth > 1 || token != JsonToken.VALUE_STRING || !unquoted(parser, name, valuePlace)) {
				value(parser, token, valuePlace, depth);
			}
			this.out.write(',');
			boolean counts = depth >= this.literalFrom
					|| ((declared != null) ? token != JsonToken.VALUE_NULL : !place.isClosed());
			if (depth == 1) {
				counts &= countsAtTop(name, token);
			}
			if (!counts) {
				this.out.truncate(start);
			}
		}
		String twice = members.sort(this.out);
		if (twice != null) {
			throw new InvalidArgumentsException(
					"A member%s is named twice in the JSON object that ends at character %d; send each member once."
						.formatted(place.declares(twice) ? " (" + twice + ")" : "",
								parser.currentLocation().getCharOffset()));
		}
		close(members.start() - 1, '}');
	}

	private boolean countsAtTop(String name, JsonToken token) {
		if (this.reserved.contains(name)) {
			this.sawReserved = true;
			return false;
		}
		if (token != JsonToken.VALUE_NULL) {
			this.missing.remove(name);
		}
		else if (this.literalFrom > 1) {
			return false;
		}
		return !this.ignoring.contains(name);
	}

	/**
	 * An argument that models put in quotes: an array or object as text, where the schema
	 * allows nothing else. Whatever is not exactly that stays text.
	 */
	private boolean unquoted(JsonParser parser, String name, Place place) {
		JsonToken open = switch (place.text()) {
			case ARRAY -> JsonToken.START_ARRAY;
			case OBJECT -> JsonToken.START_OBJECT;
			case TEXT, NUMBER, BOOLEAN -> null;
		};
		if (open == null) {
			return false;
		}
		int start = this.out.length();
		try (JsonParser inside = StrictJson.parser(parser.getString())) {
			if (inside.nextToken() == open) {
				value(inside, open, place, 1);
				if (inside.nextToken() == null) {
					this.unquoted.add(name);
					return true;
				}
			}
		}
		catch (JacksonException | InvalidArgumentsException ex) {
			// No JSON, or not as strict as arguments have to be: it stays text.
		}
		this.out.truncate(start);
		return false;
	}

	private void array(JsonParser parser, Place place, int depth) {
		refuseDeeper(parser, depth);
		int start = this.out.length();
		this.out.write('[');
		int index = 0;
		JsonToken token;
		while ((token = parser.nextToken()) != JsonToken.END_ARRAY) {
			value(parser, token, place.item(index++), depth);
			this.out.write(',');
		}
		close(start, ']');
	}

	/** The last comma makes room for the bracket. */
	private void close(int open, char bracket) {
		if (this.out.length() > open + 1) {
			this.out.overwriteLast(bracket);
		}
		else {
			this.out.write(bracket);
		}
	}

	private void text(JsonParser parser, Place place) {
		char[] chars = parser.getStringCharacters();
		int offset = parser.getStringOffset();
		int count = parser.getStringLength();
		boolean done = switch (place.text()) {
			case TEXT, ARRAY, OBJECT -> false;
			case NUMBER -> count <= JsonNumbers.MAX_LENGTH && JsonNumbers.survivesDouble(chars, offset, count)
					&& JsonNumbers.write(chars, offset, count, this.out);
			case BOOLEAN -> writeBoolean(new String(chars, offset, Math.min(count, 6)));
		};
		if (!done && !this.out.writeQuoted(chars, offset, count)) {
			throw halfCharacter(parser);
		}
	}

	private boolean writeBoolean(String value) {
		boolean isBoolean = value.equals("true") || value.equals("false");
		if (isBoolean) {
			this.out.writeAscii(value);
		}
		return isBoolean;
	}

	private static InvalidArgumentsException halfCharacter(JsonParser parser) {
		return new InvalidArgumentsException(
				"A text near character %d holds half of a surrogate pair; send whole Unicode characters."
					.formatted(parser.currentLocation().getCharOffset()));
	}

	private Members level(JsonParser parser, int depth) {
		refuseDeeper(parser, depth);
		while (this.levels.size() < depth) {
			this.levels.add(new Members());
		}
		Members members = this.levels.get(depth - 1);
		members.clear(this.out.length() + 1);
		return members;
	}

	private static void refuseDeeper(JsonParser parser, int depth) {
		if (depth > StrictJson.MAX_DEPTH) {
			throw new InvalidArgumentsException(
					"The arguments are nested more than %d levels deep at character %d; send a flatter JSON object."
						.formatted(StrictJson.MAX_DEPTH, parser.currentLocation().getCharOffset()));
		}
	}

}
