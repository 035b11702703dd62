package io.github.idem.identity;

import java.util.Set;
import java.util.StringJoiner;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Cuts top-level members out of a text that was read before. What stays is copied from
 * the text, not written anew: no number loses a digit on the way to the tool.
 */
final class ReservedMembers {

	private ReservedMembers() {
	}

	static String cut(String text, Set<String> names) {
		StringJoiner kept = new StringJoiner(",", "{", "}");
		try (JsonParser parser = StrictJson.parser(text)) {
			parser.nextToken();
			while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
				String name = parser.currentName();
				int from = (int) parser.currentTokenLocation().getCharOffset();
				parser.nextToken();
				parser.skipChildren();
				parser.finishToken();
				int to = (int) parser.currentLocation().getCharOffset();
				if (!names.contains(name)) {
					kept.add(text.substring(from, to));
				}
			}
		}
		return kept.toString();
	}

}
