package io.github.idem.tool;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.github.idem.InvalidArgumentsException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.method.MethodToolCallback;
import org.springframework.ai.util.JacksonUtils;

/**
 * For tools that are methods: every parameter but the {@link ToolContext} is converted as
 * {@link MethodToolCallback} will convert it, or refused where that would fail or lose
 * something.
 * <p>
 * One thing is kept that Spring AI loses: a {@link java.math.BigDecimal} is exact here,
 * so that business keys are, while the method gets what a double keeps of a number's
 * digits. In quotes, the method gets them all.
 */
final class MethodArguments implements ArgumentConverter {

	private final List<Target> targets;

	MethodArguments(Method method) {
		this.targets = Arrays.stream(method.getParameters())
			.filter((parameter) -> !ToolContext.class.isAssignableFrom(parameter.getType()))
			.map(Target::of)
			.toList();
	}

	@Override
	public Map<String, @Nullable Object> convert(String json) {
		JsonNode arguments = StrictValues.read(json);
		Map<String, @Nullable Object> values = new HashMap<>();
		for (Target target : this.targets) {
			values.put(target.name(), target.convert(arguments.get(target.name())));
		}
		return values;
	}

	@Override
	public boolean takesMoreThan(Set<String> declared) {
		return StrictValues.takeMoreThan(this.targets.stream().map(Target::type).toList(), declared);
	}

	/**
	 * A parameter to convert a value to.
	 *
	 * @param name its name
	 * @param type its type
	 * @param generic whether Spring AI takes it for generic, and treats it otherwise
	 */
	private record Target(String name, JavaType type, boolean generic) {

		static Target of(Parameter parameter) {
			Type type = parameter.getParameterizedType();
			return new Target(parameter.getName(), StrictValues.type(type), !(type instanceof Class<?>));
		}

		@Nullable Object convert(@Nullable JsonNode value) {
			if (value == null || value.isNull()) {
				if (this.type.isPrimitive()) {
					throw Refusals.refusal(this.name, Refusals.expectation(this.type));
				}
				return null;
			}
			StrictValues.refuseLostNumbers(value, this.name);
			try {
				Object converted = !value.isString() ? StrictValues.convert(value, this.type)
						: this.generic ? convertGeneric(value.stringValue()) : convertText(value.stringValue());
				if (converted != null || this.generic) {
					return converted;
				}
			}
			catch (InvalidArgumentsException ex) {
				throw ex;
			}
			catch (RuntimeException ex) {
				// Jackson's, or that of a constructor: the tool would not be entered.
				throw Refusals.refusal(this.name, this.type, ex);
			}
			// An empty array is no date to Jackson, and Spring AI takes null only for
			// null.
			throw Refusals.refusal(this.name, Refusals.expectation(this.type));
		}

		/** As the text that it is; else as the JSON that it holds. */
		private @Nullable Object convertText(String text) {
			try {
				return StrictValues.convert(StringNode.valueOf(text), this.type);
			}
			catch (JacksonException ex) {
				JsonNode held = held(text);
				if (held == null || held.isString() || (!held.isContainer() && !text.equals(text.strip()))) {
					throw ex;
				}
				return StrictValues.convert(held, this.type);
			}
		}

		/**
		 * As the JSON that it holds, if it begins with any: for a generic parameter
		 * Spring AI makes {@code 12} of the text {@code 12 Main Street}.
		 */
		private @Nullable Object convertGeneric(String text) {
			JsonNode held = held(text);
			if (held != null && held.isContainer()) {
				return StrictValues.convert(held, this.type);
			}
			Object converted = StrictValues.convert(StringNode.valueOf(text), this.type);
			if (beginsAsJson(text) && !Objects.equals(converted, asSpringAiReads(text))) {
				throw Refusals.refusal(this.name, "it as text that does not begin like a number or another JSON value");
			}
			return converted;
		}

		private @Nullable JsonNode held(String text) {
			JsonNode held;
			try {
				held = StrictValues.read(text);
			}
			catch (JacksonException ex) {
				return null;
			}
			StrictValues.refuseLostNumbers(held, this.name);
			return held.isMissingNode() ? null : held;
		}

		private static boolean beginsAsJson(String text) {
			try {
				JacksonUtils.getDefaultJsonMapper().readTree(text);
				return true;
			}
			catch (JacksonException ex) {
				return false;
			}
		}

		private @Nullable Object asSpringAiReads(String text) {
			return JacksonUtils.getDefaultJsonMapper().readValue(text, this.type);
		}

	}

}
