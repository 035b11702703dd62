package io.github.idem.identity;

import java.util.Set;
import java.util.StringJoiner;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Cuts arguments out of a text that was read before, and takes quotes off others. What
 * stays is copied from the text, not written anew: no number loses a digit on the way to
 * the tool.
 */
final class Rewriting {

	private Rewriting() {
	}

	/**
	 * Write arguments without some of them.
	 * @param text one JSON object
	 * @param cut names of the members to leave out
	 * @param unquote names of members that are text, in whose place to put the JSON that
	 * the text holds
	 */
	static String rewrite(String text, Set<String> cut, Set<String> unquote) {
		StringJoiner kept = new StringJoiner(",", "{", "}");
		try (JsonParser parser = StrictJson.parser(text)) {
			parser.nextToken();
			while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
				String name = parser.currentName();
				int from = (int) parser.currentTokenLocation().getCharOffset();
				parser.nextToken();
				int valueFrom = (int) parser.currentTokenLocation().getCharOffset();
				String held = unquote.contains(name) ? parser.getString() : null;
				parser.skipChildren();
				parser.finishToken();
				int to = (int) parser.currentLocation().getCharOffset();
				if (!cut.contains(name)) {
					kept.add((held != null) ? text.substring(from, valueFrom) + held : text.substring(from, to));
				}
			}
		}
		return kept.toString();
	}

}
