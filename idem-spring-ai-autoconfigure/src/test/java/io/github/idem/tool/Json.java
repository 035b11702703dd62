package io.github.idem.tool;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** JSON as it is spelled: numbers and text are not taken apart. */
sealed interface Json {

	String text();

	/** Everything without members or elements. */
	record Leaf(String text) implements Json {
	}

	record Items(List<Json> items) implements Json {

		@Override
		public String text() {
			return this.items.stream().map(Json::text).collect(Collectors.joining(",", "[", "]"));
		}

	}

	record Members(LinkedHashMap<String, Json> members) implements Json {

		@Override
		public String text() {
			return this.members.entrySet()
				.stream()
				.map((Map.Entry<String, Json> member) -> "\"" + member.getKey() + "\":" + member.getValue().text())
				.collect(Collectors.joining(",", "{", "}"));
		}

	}

	/** Read JSON; {@code null} if it is none. */
	static @Nullable Json parse(String json) {
		try (JsonParser parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
			parser.nextToken();
			Json parsed = parse(parser, json);
			return (parser.nextToken() == null) ? parsed : null;
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	private static Json parse(JsonParser parser, String json) {
		if (parser.isExpectedStartArrayToken()) {
			List<Json> items = new ArrayList<>();
			while (parser.nextToken() != JsonToken.END_ARRAY) {
				items.add(parse(parser, json));
			}
			return new Items(items);
		}
		if (parser.isExpectedStartObjectToken()) {
			LinkedHashMap<String, Json> members = new LinkedHashMap<>();
			for (String name; (name = parser.nextName()) != null;) {
				parser.nextToken();
				members.put(name, parse(parser, json));
			}
			return new Members(members);
		}
		int from = (int) parser.currentTokenLocation().getCharOffset();
		parser.finishToken();
		return new Leaf(json.substring(from, (int) parser.currentLocation().getCharOffset()));
	}

	/** The same as text. */
	static Json quoted(Json json) {
		return new Leaf("\"" + json.text().replace("\\", "\\\\").replace("\"", "\\\"") + "\"");
	}

}
