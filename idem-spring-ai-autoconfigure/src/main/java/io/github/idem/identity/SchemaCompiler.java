package io.github.idem.identity;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes places of a schema. Several schemas can hold for one place, so a place is known
 * by the set of them: there are only so many sets, and recursion in the schema becomes a
 * circle of places.
 */
final class SchemaCompiler {

	private static final JsonMapper MAPPER = JsonMapper.shared();

	private final JsonNode document;

	private final SchemaBudget budget = new SchemaBudget();

	private final SchemaReader reader;

	private final Map<JsonNode, Integer> numbers = new IdentityHashMap<>();

	private final Map<Key, Place> places = new HashMap<>();

	private final Deque<Task> open = new ArrayDeque<>();

	private SchemaCompiler(JsonNode document) {
		this.document = document;
		this.reader = new SchemaReader(document, this.budget);
	}

	static SchemaCompiler of(@Nullable String schema) {
		JsonNode document = null;
		if (schema != null) {
			try {
				document = MAPPER.readTree(schema);
			}
			catch (JacksonException ex) {
				// A tool may have a schema that is none; then nothing is known of it.
			}
		}
		return new SchemaCompiler((document != null) ? document : MAPPER.missingNode());
	}

	Place compile() {
		if (!this.document.isObject()) {
			return Place.ANY;
		}
		Place root = place(List.of(this.document), true);
		while (!this.open.isEmpty()) {
			Task task = this.open.remove();
			fill(task.place, this.reader.combine(task.schemas, task.all));
			if (this.budget.isSpent()) {
				return Place.ANY;
			}
		}
		return root;
	}

	/** What the top-level schema requires, in its order. */
	Set<String> required() {
		Set<String> required = new LinkedHashSet<>();
		for (JsonNode schema : this.reader.read(this.document).always()) {
			JsonNode names = schema.get("required");
			if (names != null && names.isArray()) {
				names.forEach((name) -> required.add(name.asString("")));
			}
		}
		return Collections.unmodifiableSet(required);
	}

	/** Every name that is declared somewhere in the document. */
	Set<String> names() {
		Set<String> names = new LinkedHashSet<>();
		collectNames(this.document, names);
		return Collections.unmodifiableSet(names);
	}

	private static void collectNames(JsonNode schema, Set<String> names) {
		schema.properties().forEach((member) -> {
			if (member.getKey().equals("properties")) {
				names.addAll(member.getValue().propertyNames());
			}
		});
		schema.forEach((part) -> collectNames(part, names));
	}

	private Place place(List<JsonNode> schemas, boolean all) {
		Key key = new Key(schemas.stream().map(this::number).sorted().distinct().toList(), all);
		Place known = this.places.get(key);
		if (known == null) {
			known = new Place();
			this.places.put(key, known);
			this.open.add(new Task(known, schemas, all));
		}
		return known;
	}

	private Integer number(JsonNode schema) {
		return this.numbers.computeIfAbsent(schema, (added) -> this.numbers.size());
	}

	private void fill(Place place, SchemaFacts facts) {
		Set<String> names = new LinkedHashSet<>();
		int[] firstItems = { 0 };
		collect(facts, names, firstItems);
		for (String name : names) {
			Place member = part(facts, SchemaFacts.OBJECT, (schema) -> member(schema, name));
			place.declare(name, (member != null) ? member : Place.ANY);
		}
		Place[] first = new Place[firstItems[0]];
		for (int i = 0; i < first.length; i++) {
			int index = i;
			Place item = part(facts, SchemaFacts.ARRAY, (schema) -> item(schema, index));
			first[i] = (item != null) ? item : Place.ANY;
		}
		place.fill(facts.text(), facts.closed(), part(facts, SchemaFacts.OBJECT, (schema) -> member(schema, null)),
				first, part(facts, SchemaFacts.ARRAY, (schema) -> item(schema, Integer.MAX_VALUE)));
	}

	private @Nullable Place part(SchemaFacts facts, int type, Function<JsonNode, @Nullable JsonNode> part) {
		SchemaFacts.Found found = facts.find(type, part, this.budget);
		return (found.anything() || found.schemas().isEmpty()) ? null : place(found.schemas(), found.all());
	}

	private void collect(SchemaFacts facts, Set<String> names, int[] firstItems) {
		if (!this.budget.take()) {
			return;
		}
		for (JsonNode schema : facts.always()) {
			JsonNode properties = schema.get("properties");
			if (properties != null && properties.isObject()) {
				properties.properties().forEach((property) -> {
					// A schema that is "false" forbids the member.
					if (this.budget.take() && !(property.getValue().isBoolean() && !property.getValue().asBoolean())) {
						names.add(property.getKey());
					}
				});
			}
			JsonNode tuple = tuple(schema);
			firstItems[0] = Math.max(firstItems[0], (tuple != null) ? tuple.size() : 0);
		}
		for (List<SchemaFacts> choice : facts.choices()) {
			for (SchemaFacts branch : choice) {
				collect(branch, names, firstItems);
			}
		}
	}

	/** The schema of a member, or of members that are not declared. */
	private static @Nullable JsonNode member(JsonNode schema, @Nullable String name) {
		JsonNode properties = schema.get("properties");
		if (name != null && properties != null && properties.isObject()) {
			JsonNode declared = properties.get(name);
			if (declared != null) {
				return declared;
			}
		}
		JsonNode additional = schema.get("additionalProperties");
		return (additional != null && additional.isObject()) ? additional : null;
	}

	private static @Nullable JsonNode item(JsonNode schema, int index) {
		JsonNode tuple = tuple(schema);
		if (tuple != null && index < tuple.size()) {
			return tuple.get(index);
		}
		JsonNode rest = schema.get("items");
		if (rest != null && rest.isArray()) {
			rest = schema.get("additionalItems");
		}
		return (rest != null && rest.isObject()) ? rest : null;
	}

	/** Up to draft 2019-09 a tuple was an array of {@code items}. */
	private static @Nullable JsonNode tuple(JsonNode schema) {
		JsonNode items = schema.has("prefixItems") ? schema.get("prefixItems") : schema.get("items");
		return (items != null && items.isArray()) ? items : null;
	}

	private record Key(List<Integer> schemas, boolean all) {
	}

	private record Task(Place place, List<JsonNode> schemas, boolean all) {
	}

}
