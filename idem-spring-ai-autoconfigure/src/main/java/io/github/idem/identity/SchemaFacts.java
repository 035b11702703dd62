package io.github.idem.identity;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What one schema says with all that it refers to.
 *
 * @param types the kinds of values it allows, as bits
 * @param closed whether an object has no other members than the declared ones
 * @param always the schemas that hold for every value: itself, what {@code $ref} and
 * {@code allOf} name
 * @param choices of each of these ({@code anyOf}, {@code oneOf}), one or more hold
 */
record SchemaFacts(int types, boolean closed, List<JsonNode> always, List<List<SchemaFacts>> choices) {

	static final int TEXT = 1;

	static final int NUMBER = 2;

	static final int BOOLEAN = 4;

	static final int OBJECT = 8;

	static final int ARRAY = 16;

	static final int NULL = 32;

	static final int EVERY_TYPE = 63;

	/** Of what is not understood, or allows everything. */
	static final SchemaFacts ANY = new SchemaFacts(EVERY_TYPE, false, List.of(), List.of());

	Place.Text text() {
		return switch (this.types & ~NULL) {
			case NUMBER -> Place.Text.NUMBER;
			case BOOLEAN -> Place.Text.BOOLEAN;
			case ARRAY -> Place.Text.ARRAY;
			case OBJECT -> Place.Text.OBJECT;
			default -> Place.Text.TEXT;
		};
	}

	/**
	 * The schemas for a part of the value, say a member.
	 * @param type the kind of value that has such parts
	 * @param part the part's schema in a schema without what it refers to
	 * @param budget is asked before each step whether to go on
	 * @return the schemas found; empty if nothing is said about the part
	 */
	Found find(int type, Function<JsonNode, @Nullable JsonNode> part, SchemaBudget budget) {
		List<JsonNode> found = new ArrayList<>();
		for (JsonNode schema : this.always) {
			JsonNode one = part.apply(schema);
			if (one != null && budget.take()) {
				found.add(one);
			}
		}
		// What always holds decides. A choice may only say more, and which one was made
		// is
		// not known here.
		if (!found.isEmpty() || this.choices.isEmpty()) {
			return new Found(found, true, false);
		}
		boolean anything = false;
		for (List<SchemaFacts> choice : this.choices) {
			for (SchemaFacts branch : choice) {
				if ((branch.types & type) != 0 && budget.take()) {
					Found inBranch = branch.find(type, part, budget);
					found.addAll(inBranch.schemas);
					anything |= inBranch.anything || (inBranch.schemas.isEmpty() && !branch.closed);
				}
			}
		}
		return new Found(found, false, anything);
	}

	/**
	 * Schemas for a part.
	 *
	 * @param schemas the schemas
	 * @param all whether all of them hold, or one or more
	 * @param anything whether a choice leaves the part open
	 */
	record Found(List<JsonNode> schemas, boolean all, boolean anything) {

	}

}
