package io.github.idem.identity;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/**
 * Finds out what schemas of one document say, references followed. A reference that leads
 * back to itself, out of the document or nowhere allows everything.
 */
final class SchemaReader {

	/** Keywords that let members in that are declared nowhere else. */
	private static final List<String> OPENING = List.of("patternProperties", "unevaluatedProperties", "if", "then",
			"else", "dependentSchemas", "dependencies", "$dynamicRef", "$recursiveRef");

	private static final int MAX_DEPTH = 200;

	private final JsonNode document;

	private final SchemaBudget budget;

	/** Below an {@code $id} of its own, {@code #} is another document. */
	private final boolean oneDocument;

	private final Map<JsonNode, SchemaFacts> known = new IdentityHashMap<>();

	SchemaReader(JsonNode document, SchemaBudget budget) {
		this.document = document;
		this.budget = budget;
		this.oneDocument = document.findParents("$id").stream().allMatch((parent) -> parent == document);
	}

	SchemaFacts read(JsonNode schema) {
		return read(schema, 0);
	}

	/** What several schemas say together: all of them, or one or more. */
	SchemaFacts combine(List<JsonNode> schemas, boolean all) {
		if (schemas.size() == 1) {
			return read(schemas.get(0));
		}
		Builder combined = new Builder();
		if (all) {
			schemas.forEach((schema) -> combined.and(read(schema)));
		}
		else {
			combined.choice(schemas.stream().map(this::read).toList());
		}
		return combined.build();
	}

	private SchemaFacts read(JsonNode schema, int depth) {
		if (!schema.isObject() || depth > MAX_DEPTH || !this.budget.take()) {
			return SchemaFacts.ANY;
		}
		SchemaFacts facts = this.known.get(schema);
		if (facts == null) {
			this.known.put(schema, SchemaFacts.ANY);
			facts = readNew(schema, depth);
			this.known.put(schema, facts);
		}
		return facts;
	}

	private SchemaFacts readNew(JsonNode schema, int depth) {
		Builder facts = new Builder();
		facts.own(schema);
		JsonNode reference = schema.get("$ref");
		if (reference != null) {
			JsonNode target = target(reference.asString(""));
			if (target != null) {
				facts.and(read(target, depth + 1));
			}
			else {
				facts.opened = true;
			}
		}
		for (JsonNode each : elements(schema.get("allOf"))) {
			facts.and(read(each, depth + 1));
		}
		for (String keyword : List.of("anyOf", "oneOf")) {
			List<SchemaFacts> branches = new ArrayList<>();
			for (JsonNode each : elements(schema.get(keyword))) {
				branches.add(read(each, depth + 1));
			}
			if (!branches.isEmpty()) {
				facts.choice(branches);
			}
		}
		return facts.build();
	}

	private @Nullable JsonNode target(String reference) {
		// Spring AI moves the schema of a parameter into that of the method and leaves a
		// "#"
		// in it as it is, so "#" may mean the parameter's type or, in other schemas, the
		// whole. Taken for the wrong one it would hide arguments that the tool does take.
		if (!this.oneDocument || !reference.startsWith("#/")) {
			return null;
		}
		try {
			String pointer = URLDecoder.decode(reference.substring(1).replace("+", "%2B"), StandardCharsets.UTF_8);
			JsonNode target = this.document.at(JsonPointer.compile(pointer));
			return target.isMissingNode() ? null : target;
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	private static Iterable<JsonNode> elements(@Nullable JsonNode array) {
		return (array != null && array.isArray()) ? array : List.of();
	}

	private final class Builder {

		private int types = SchemaFacts.EVERY_TYPE;

		private boolean closed;

		private boolean opened;

		private final List<JsonNode> always = new ArrayList<>();

		private final List<List<SchemaFacts>> choices = new ArrayList<>();

		void own(JsonNode schema) {
			this.always.add(schema);
			this.types &= declaredTypes(schema.get("type")) & typesOfValues(schema);
			JsonNode additional = schema.get("additionalProperties");
			this.closed |= additional != null && additional.isBoolean() && !additional.booleanValue();
			this.opened |= OPENING.stream().anyMatch(schema::has);
		}

		void and(SchemaFacts facts) {
			this.types &= facts.types();
			this.closed |= facts.closed();
			for (JsonNode schema : facts.always()) {
				if (SchemaReader.this.budget.take()) {
					this.always.add(schema);
				}
			}
			for (List<SchemaFacts> choice : facts.choices()) {
				if (SchemaReader.this.budget.take()) {
					this.choices.add(choice);
				}
			}
		}

		void choice(List<SchemaFacts> branches) {
			int union = 0;
			boolean someObject = false;
			boolean allClosed = true;
			for (SchemaFacts branch : branches) {
				union |= branch.types();
				if ((branch.types() & SchemaFacts.OBJECT) != 0) {
					someObject = true;
					allClosed &= branch.closed();
				}
			}
			this.types &= union;
			this.closed |= someObject && allClosed;
			this.choices.add(branches);
		}

		SchemaFacts build() {
			return new SchemaFacts(this.types, this.closed && !this.opened, List.copyOf(this.always),
					List.copyOf(this.choices));
		}

		private int declaredTypes(@Nullable JsonNode type) {
			if (type == null) {
				return SchemaFacts.EVERY_TYPE;
			}
			if (!type.isArray()) {
				return bit(type.asString(""));
			}
			int types = 0;
			for (JsonNode each : type) {
				types |= bit(each.asString(""));
			}
			return types;
		}

		/** Some models get the names in upper case. */
		private int bit(String type) {
			return switch (type.toLowerCase(Locale.ROOT)) {
				case "string" -> SchemaFacts.TEXT;
				case "number", "integer" -> SchemaFacts.NUMBER;
				case "boolean" -> SchemaFacts.BOOLEAN;
				case "object" -> SchemaFacts.OBJECT;
				case "array" -> SchemaFacts.ARRAY;
				case "null" -> SchemaFacts.NULL;
				default -> SchemaFacts.EVERY_TYPE;
			};
		}

		private int typesOfValues(JsonNode schema) {
			int types = SchemaFacts.EVERY_TYPE;
			JsonNode constant = schema.get("const");
			if (constant != null) {
				types &= typeOf(constant);
			}
			JsonNode values = schema.get("enum");
			if (values != null && values.isArray() && !values.isEmpty()) {
				int union = 0;
				for (JsonNode value : values) {
					union |= typeOf(value);
				}
				types &= union;
			}
			return types;
		}

		private int typeOf(JsonNode value) {
			return switch (value.getNodeType()) {
				case STRING -> SchemaFacts.TEXT;
				case NUMBER -> SchemaFacts.NUMBER;
				case BOOLEAN -> SchemaFacts.BOOLEAN;
				case OBJECT -> SchemaFacts.OBJECT;
				case ARRAY -> SchemaFacts.ARRAY;
				case NULL -> SchemaFacts.NULL;
				default -> SchemaFacts.EVERY_TYPE;
			};
		}

	}

}
