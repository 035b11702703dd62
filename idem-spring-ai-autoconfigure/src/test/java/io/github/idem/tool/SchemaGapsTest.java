package io.github.idem.tool;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.github.idem.Idempotent;
import io.github.idem.identity.ArgumentSchema;
import io.github.idem.operation.ToolPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.function.FunctionToolCallback;

import static org.assertj.core.api.Assertions.assertThat;

/** Types that take more than Spring AI's schema of them says. */
class SchemaGapsTest {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			alias    | {"value":{"amt":1}}           | {"value":{"amt":2}}
			nested   | {"values":[{"value":{"amt":1}}]} | {"values":[{"value":{"amt":2}}]}
			any      | {"value":{"x":1}}             | {"value":{"x":2}}
			setter   | {"value":{"total":1}}         | {"value":{"total":2}}
			defaults | {"value":{"tags":null}}       | {"value":{}}
			subtype  | {"value":{"kind":"card","nr":"1"}} | {"value":{"kind":"card","nr":"2"}}
			""")
	void whatSuchATypeTellsApartIsToldApart(String tool, String one, String other) {
		assertThat(fingerprint(tool, one)).isNotEqualTo(fingerprint(tool, other));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
			bean   | {"value":{"name":"a","thought":1,"size":null}} | {"value":{"name":"a"}}
			record | {"value":{"name":"a","thought":1,"note":null}} | {"value":{"name":"a"}}
			alias  | {"value":null,"thought":1}                     | {}
			alias  | {"value":{"amount":1}}                         | {"value":{"amount":1.0}}
			""")
	void whereThereIsNoGapTheSchemaDecides(String tool, String one, String other) {
		assertThat(fingerprint(tool, one)).isEqualTo(fingerprint(tool, other));
	}

	@Test
	void theInputOfAFunctionIsSuchATypeItself() {
		ToolCallback callback = FunctionToolCallback.builder("f", (Alias input) -> "done")
			.inputType(Alias.class)
			.build();
		ToolPolicy policy = new ToolPolicies(Map.of("f", ToolSettings.NONE), Effects.NONE).find(callback);
		assertThat(policy).isNotNull();
		ArgumentSchema schema = policy.schema();
		assertThat(schema.read("{\"amt\":1}", Set.of()).fingerprint())
			.isNotEqualTo(schema.read("{\"amt\":2}", Set.of()).fingerprint());
	}

	private static String fingerprint(String tool, String arguments) {
		for (ToolCallback callback : ToolCallbacks.from(new Tools())) {
			if (callback.getToolDefinition().name().equals(tool)) {
				ToolPolicy policy = new ToolPolicies(Map.of(), Effects.NONE).find(callback);
				assertThat(policy).isNotNull();
				return policy.schema().read(arguments, Set.of()).fingerprint();
			}
		}
		throw new IllegalArgumentException(tool);
	}

	record Alias(@JsonAlias("amt") int amount) {
	}

	record Plain(String name, Optional<String> note) {
	}

	record Holder(Alias value) {
	}

	static class Any {

		public String name = "";

		@JsonAnySetter
		public void more(String name, Object value) {
		}

	}

	static class Setter {

		private int amount;

		public void setTotal(int total) {
			this.amount = total;
		}

		public int amount() {
			return this.amount;
		}

	}

	static class Defaults {

		public List<String> tags = List.of("none");

	}

	static class Bean {

		private String name;

		private Integer size;

		public String getName() {
			return this.name;
		}

		public void setName(String name) {
			this.name = name;
		}

		public Integer getSize() {
			return this.size;
		}

		public void setSize(Integer size) {
			this.size = size;
		}

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	@JsonSubTypes(@JsonSubTypes.Type(value = Card.class, name = "card"))
	interface Means {

	}

	record Card(@JsonAlias("nr") String number) implements Means {
	}

	static class Tools {

		@Tool
		@Idempotent
		void alias(Alias value) {
		}

		@Tool
		@Idempotent
		void nested(List<Holder> values) {
		}

		@Tool
		@Idempotent
		void any(Any value) {
		}

		@Tool
		@Idempotent
		void setter(Setter value) {
		}

		@Tool
		@Idempotent
		void defaults(Defaults value) {
		}

		@Tool
		@Idempotent
		void subtype(Means value) {
		}

		@Tool
		@Idempotent
		void bean(Bean value) {
		}

		@Tool
		@Idempotent
		void record(Plain value) {
		}

	}

}
