package io.github.idem.identity;

import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.util.json.schema.JsonSchemaGenerator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

/** Which schemas let quotes be dropped and members be left out, and which do not. */
class ArgumentSchemaTest {

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "null", "true", "[]", "\"object\"", "{\"type\":", "no schema", "{}",
			"{\"type\":\"object\"}", "{\"type\":\"object\",\"properties\":null}", "{\"properties\":[1]}",
			"{\"properties\":{\"a\":true},\"required\":\"a\",\"anyOf\":7,\"$ref\":{}}", "{\"$ref\":\"#\"}",
			"{\"allOf\":[{\"$ref\":\"#\"}]}", "{\"anyOf\":[{\"$ref\":\"#/anyOf/0\"}]}", "{\"$ref\":\"#/nowhere\"}",
			"{\"$ref\":\"#anchor\"}", "{\"$ref\":\"https://example.com/schema\"}", "{\"$ref\":\"#/%zz\"}",
			"{\"additionalProperties\":{}}", "{\"type\":\"object\",\"additionalProperties\":true}" })
	void aSchemaThatSaysNothingTakesEverythingAsItIs(String schema) {
		assertTakes(schema, "\"1\"", Kind.TEXT);
		assertThat(counts(schema, "undeclared")).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"type\":\"number\"}", "{\"type\":\"integer\"}", "{\"type\":\"NUMBER\"}",
			"{\"type\":[\"number\",\"null\"]}", "{\"type\":[\"integer\",\"number\"]}", "{\"enum\":[1,2,null]}",
			"{\"const\":1}", "{\"type\":[\"string\",\"number\"],\"enum\":[1,2]}", "{\"$ref\":\"#/$defs/Money\"}",
			"{\"$ref\":\"#/definitions/Money\",\"description\":\"how much\"}",
			"{\"allOf\":[{\"$ref\":\"#/$defs/Money\"}]}", "{\"anyOf\":[{\"type\":\"number\"},{\"type\":\"null\"}]}",
			"{\"oneOf\":[{\"type\":\"integer\"},{\"$ref\":\"#/$defs/Money\"}]}",
			"{\"type\":[\"string\",\"number\"],\"anyOf\":[{\"type\":\"number\"},{\"type\":\"boolean\"}]}",
			"{\"$ref\":\"#/$defs/a~1b%20c\"}", "{\"description\":\"x\",\"type\":\"number\",\"minimum\":0}" })
	void textIsTakenForANumberWhereNothingElseIsAllowed(String place) {
		assertTakes(schemaWith(place), "\"1\"", Kind.NUMBER);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "true", "{\"type\":\"string\"}", "{\"type\":[\"number\",\"string\"]}",
			"{\"type\":\"string\",\"format\":\"decimal\"}", "{\"enum\":[\"1\",\"2\"]}", "{\"enum\":[1,\"1\"]}",
			"{\"const\":\"1\"}", "{\"anyOf\":[{\"type\":\"number\"},{\"type\":\"string\"}]}",
			"{\"oneOf\":[{\"type\":\"number\"},{}]}", "{\"anyOf\":[{\"type\":\"number\"},{\"$ref\":\"#/nowhere\"}]}",
			"{\"type\":[\"number\",\"boolean\"]}", "{\"type\":[\"number\",\"array\"]}", "{\"type\":\"decimal\"}",
			"{\"type\":[\"number\",\"decimal\"]}", "{\"enum\":[]}", "{\"not\":{\"type\":\"string\"}}" })
	void textStaysTextWhereItMayBeMeant(String place) {
		assertTakes(schemaWith(place), "\"1\"", Kind.TEXT);
	}

	@Test
	void theSchemaGuidesThroughArraysTuplesAndMaps() {
		assertTakes(schemaWith("{\"type\":\"array\",\"items\":{\"type\":\"number\"}}"), "[\"1\"]", Kind.NUMBER);
		String tuple = schemaWith(
				"{\"prefixItems\":[{\"type\":\"string\"},{\"type\":\"number\"}],\"items\":{\"type\":\"boolean\"}}");
		assertTakes(tuple, "[\"1\"]", Kind.TEXT);
		assertTakes(tuple, "[\"x\",\"1\"]", Kind.NUMBER);
		assertTakes(tuple, "[\"x\",0,\"1\"]", Kind.TEXT);
		assertTakes(tuple, "[\"x\",0,\"true\",\"true\"]", Kind.NUMBER);
		assertTakes(schemaWith("{\"items\":[{\"type\":\"number\"}],\"additionalItems\":{\"type\":\"number\"}}"),
				"[0,\"1\"]", Kind.NUMBER);
		String map = schemaWith("{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}},"
				+ "\"additionalProperties\":{\"type\":\"number\"}}");
		assertTakes(map, "{\"any\":\"1\"}", Kind.NUMBER);
		assertTakes(map, "{\"name\":\"1\"}", Kind.TEXT);
	}

	@Test
	void aSchemaThatRefersToItselfGuidesAtEveryDepth() {
		String tree = "{\"$ref\":\"#/$defs/Node\",\"$defs\":{\"Node\":{\"type\":\"object\",\"additionalProperties\":false,"
				+ "\"properties\":{\"value\":{\"type\":\"number\"},\"children\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/Node\"}},"
				+ "\"next\":{\"anyOf\":[{\"$ref\":\"#/$defs/Node\"},{\"type\":\"null\"}]}}}}}";
		String deep = "{\"value\":%s,\"next\":{\"children\":[{\"value\":1,\"next\":{\"next\":{\"value\":%s%s}}}]}}";
		assertThat(fingerprint(tree, deep.formatted("\"1\"", "\"2\"", ",\"thought\":1")))
			.isEqualTo(fingerprint(tree, deep.formatted("1", "2", "")))
			.isNotEqualTo(fingerprint(tree, deep.formatted("1", "3", "")));
	}

	@Test
	void anObjectIsClosedOnlyIfEveryReadingOfTheSchemaClosesIt() {
		String closed = "{\"type\":\"object\",\"properties\":{\"a\":{}},\"additionalProperties\":false}";
		assertThat(counts(closed, "a")).isTrue();
		assertThat(counts(closed, "b")).isFalse();
		assertThat(counts("{\"type\":\"object\",\"properties\":{\"a\":{}}}", "b")).isTrue();
		assertThat(counts("{\"type\":\"object\",\"additionalProperties\":false}", "b")).isFalse();
		String other = closed.replace("\"a\"", "\"b\"");
		for (String choice : Set.of("anyOf", "oneOf")) {
			String two = "{\"" + choice + "\":[" + closed + "," + other + ",{\"type\":\"null\"}]}";
			assertThat(counts(two, "a")).isTrue();
			assertThat(counts(two, "b")).isTrue();
			assertThat(counts(two, "c")).isFalse();
			assertThat(counts("{\"" + choice + "\":[" + closed + ",{\"type\":\"object\"}]}", "c")).isTrue();
			assertThat(counts("{\"" + choice + "\":[" + closed + ",{}]}", "c")).isTrue();
		}
		String both = "{\"allOf\":[" + closed + "," + other + "]}";
		assertThat(counts(both, "a")).isTrue();
		assertThat(counts(both, "b")).isTrue();
		assertThat(counts(both, "c")).isFalse();
		assertThat(counts(closed.replace("\"type\"", "\"anyOf\":[{\"required\":[\"a\"]}],\"type\""), "b")).isFalse();
		for (String opening : List.of("\"patternProperties\":{\"^x\":{}}",
				"\"if\":{},\"then\":{\"properties\":{\"b\":{}}}", "\"dependentSchemas\":{}",
				"\"unevaluatedProperties\":false", "\"$ref\":\"other.json\"")) {
			assertThat(counts(closed.replace("\"type\"", opening + ",\"type\""), "b")).as(opening).isTrue();
		}
	}

	@Test
	void aChoiceGuidesOnlyWhereItsBranchesAgree() {
		String card = "{\"type\":\"object\",\"properties\":{\"no\":{\"type\":\"string\"},\"amount\":{\"type\":\"number\"}},\"additionalProperties\":false}";
		String cash = "{\"type\":\"object\",\"properties\":{\"no\":{\"type\":\"number\"},\"amount\":{\"type\":\"number\"}},\"additionalProperties\":false}";
		String place = schemaWith("{\"oneOf\":[" + card + "," + cash + "]}");
		assertTakes(place, "{\"amount\":\"1\"}", Kind.NUMBER);
		assertTakes(place, "{\"no\":\"1\"}", Kind.TEXT);
		String half = schemaWith("{\"oneOf\":[" + card + ",{\"type\":\"object\"}]}");
		assertTakes(half, "{\"amount\":\"1\"}", Kind.TEXT);
		String both = schemaWith("{\"allOf\":[{\"properties\":{\"amount\":{\"description\":\"x\"}}}," + cash + "]}");
		assertTakes(both, "{\"amount\":\"1\"}", Kind.NUMBER);
	}

	@Test
	void aSchemaThatDescribesMoreThanCanBeHeldIsTakenForAnOpenOne() {
		StringBuilder diamonds = new StringBuilder("{\"allOf\":[{\"$ref\":\"#/$defs/d0\"}],\"$defs\":{");
		StringBuilder choices = new StringBuilder("{\"anyOf\":[{\"$ref\":\"#/$defs/d0\"}],\"$defs\":{");
		for (int i = 0; i < 60; i++) {
			String next = "{\"$ref\":\"#/$defs/d" + (i + 1) + "\"}";
			String name = "\"d" + i + "\":";
			diamonds.append(name).append("{\"allOf\":[").append(next).append(",").append(next).append("]},");
			choices.append(name).append("{\"anyOf\":[").append(next).append(",").append(next).append("]},");
		}
		String end = "\"d60\":{\"properties\":{\"a\":{\"type\":\"number\"}},\"anyOf\":[{},{}]}}}";
		StringBuilder chain = new StringBuilder("{\"$ref\":\"#/$defs/d0\",\"$defs\":{");
		for (int i = 0; i < 20_000; i++) {
			chain.append("\"d").append(i).append("\":{\"$ref\":\"#/$defs/d").append(i + 1).append("\"},");
		}
		StringBuilder ladder = new StringBuilder("{\"$ref\":\"#/$defs/d0\",\"$defs\":{");
		for (int i = 0; i < 20_000; i++) {
			ladder.append("\"d%d\":{\"properties\":{\"a\":{\"$ref\":\"#/$defs/d%d\"}}},".formatted(i, i + 1));
		}
		assertTimeout(Duration.ofSeconds(60), () -> {
			for (CharSequence schema : List.of(diamonds + end, choices + end, chain + "\"z\":{}}}",
					ladder + "\"z\":{}}}", "{\"a\":".repeat(100_000))) {
				assertThat(counts(schema.toString(), "undeclared")).isTrue();
			}
		});
	}

	@Test
	void theSchemaSpringAiMakesOfAMethodIsUnderstood() throws Exception {
		Method method = Shop.class.getDeclaredMethod("order", String.class, BigDecimal.class, Long.class, boolean.class,
				Size.class, List.class, Map.class, Means.class, Part.class, Object.class);
		String schema = JsonSchemaGenerator.generateForMethodInput(method);
		String plain = """
				{"user":"1","amount":1.5,"count":2,"express":true,"size":"BIG","lines":[{"sku":"7","price":3}],
				"stock":{"x":1},"means":{"kind":"card","number":"4","limit":5},
				"part":{"weight":1,"parts":[{"weight":2}]},"anything":"1"}""";
		String loose = """
				{"anything":"1","part":{"parts":[{"weight":2.0}],"weight":"1"},"thought":"hm",
				"means":{"limit":5.0,"number":"4","kind":"card"},"stock":{"x":1.0},"size":"BIG",
				"lines":[{"price":"3.00","sku":"7","why":{}}],"express":"true","count":"2","amount":"1.50","user":"1"}""";
		ArgumentSchema order = ArgumentSchema.of(schema);
		Arguments read = order.read(plain, Set.of());
		assertThat(order.read(loose, Set.of()).fingerprint()).as(schema).isEqualTo(read.fingerprint());
		assertThat(read.missing()).isEmpty();
		assertThat(order.declared()).containsExactlyInAnyOrder("user", "amount", "count", "express", "size", "lines",
				"stock", "means", "part", "anything");
		for (String other : List.of(plain.replace("\"user\":\"1\"", "\"user\":1"),
				plain.replace("\"sku\":\"7\"", "\"sku\":7"), plain.replace("\"number\":\"4\"", "\"number\":\"4.0\""),
				plain.replace("\"limit\":5", "\"limit\":6"), plain.replace("\"card\"", "\"account\""),
				plain.replace("{\"x\":1}", "{\"x\":1,\"y\":1}"), plain.replace("\"weight\":2", "\"weight\":3"),
				plain.replace("\"anything\":\"1\"", "\"anything\":1"))) {
			assertThat(order.read(other, Set.of()).fingerprint()).as(other).isNotEqualTo(read.fingerprint());
		}
	}

	@Test
	void aReferenceToTheWholeHidesNothingSinceItMayMeanAPart() throws Exception {
		Method method = Shop.class.getDeclaredMethod("build", String.class, Part.class);
		String schema = JsonSchemaGenerator.generateForMethodInput(method);
		assertThat(schema).contains("\"$ref\" : \"#\"");
		String build = "{\"user\":\"u\",\"part\":{\"parts\":[{\"weight\":%d}]}}";
		assertThat(fingerprint(schema, build.formatted(1))).isNotEqualTo(fingerprint(schema, build.formatted(2)));
	}

	@Test
	void aReferenceIsNotFollowedWhereItMayMeanAnotherDocument() {
		String schema = "{\"$id\":\"https://example.com/a\",\"properties\":{\"a\":{%s\"properties\":{\"b\":"
				+ "{\"$ref\":\"#/$defs/B\"}}}},\"$defs\":{\"B\":{\"additionalProperties\":false}}}";
		assertThat(fingerprint(schema.formatted(""), "{\"a\":{\"b\":{\"c\":1}}}"))
			.isEqualTo(fingerprint(schema.formatted(""), "{\"a\":{\"b\":{\"c\":2}}}"));
		String bundled = schema.formatted("\"$id\":\"https://example.com/b\",");
		assertThat(fingerprint(bundled, "{\"a\":{\"b\":{\"c\":1}}}"))
			.isNotEqualTo(fingerprint(bundled, "{\"a\":{\"b\":{\"c\":2}}}"));
	}

	@Test
	void aParameterNamedLikeAKeywordIsAParameter() throws Exception {
		Method method = Shop.class.getDeclaredMethod("odd", Map.class, String.class, String.class);
		String schema = JsonSchemaGenerator.generateForMethodInput(method);
		assertThat(counts(schema, "properties")).isTrue();
		assertThat(counts(schema, "type")).isTrue();
		assertThat(counts(schema, "required")).isTrue();
		assertThat(counts(schema, "additionalProperties")).as(schema).isFalse();
	}

	private static String schemaWith(String place) {
		return "{\"type\":\"object\",\"properties\":{\"a\":" + place + "},\"$defs\":{\"Money\":{\"type\":\"number\"},"
				+ "\"a/b c\":{\"type\":\"number\"}},\"definitions\":{\"Money\":{\"type\":\"number\"}}}";
	}

	private enum Kind {

		TEXT, NUMBER

	}

	private static void assertTakes(String schema, String quoted, Kind kind) {
		boolean same = fingerprint(schema, "{\"a\":" + quoted + "}")
			.equals(fingerprint(schema, "{\"a\":" + quoted.replace("\"1\"", "1").replace("\"true\"", "true") + "}"));
		assertThat(same).as(schema).isEqualTo(kind == Kind.NUMBER);
	}

	private static boolean counts(String schema, String member) {
		return !fingerprint(schema, "{\"" + member + "\":\"x\"}").equals(fingerprint(schema, "{}"));
	}

	private static String fingerprint(String schema, String arguments) {
		return ArgumentSchema.of(schema).read(arguments, Set.of()).fingerprint();
	}

	enum Size {

		SMALL, BIG

	}

	record Line(String sku, BigDecimal price) {
	}

	record Part(double weight, List<Part> parts) {
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	@JsonSubTypes({ @JsonSubTypes.Type(value = Card.class, name = "card"),
			@JsonSubTypes.Type(value = Account.class, name = "account") })
	interface Means {

	}

	record Card(String number, int limit) implements Means {
	}

	record Account(String iban, int limit) implements Means {
	}

	static class Shop {

		@Tool
		void order(String user, BigDecimal amount, Long count, boolean express, Size size, List<Line> lines,
				Map<String, Integer> stock, Means means, Part part, Object anything) {
		}

		@Tool
		void build(String user, Part part) {
		}

		@Tool
		void odd(Map<String, String> properties, String type, String required) {
		}

	}

}
