package io.github.idem.tool;

import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.idem.InvalidArgumentsException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.introspect.AnnotatedMember;

/**
 * For tools that are functions: the whole input is converted as
 * {@link org.springframework.ai.tool.function.FunctionToolCallback} will convert it. Each
 * of its properties is an argument; those of an input without properties are plain JSON
 * values.
 */
final class FunctionArguments implements ArgumentConverter {

	private final JavaType type;

	private final Map<String, AnnotatedMember> properties;

	FunctionArguments(Type inputType) {
		this.type = StrictValues.type(inputType);
		this.properties = StrictValues.properties(this.type);
	}

	@Override
	public Map<String, @Nullable Object> convert(String json) {
		Object input;
		try {
			StrictValues.refuseLostNumbers(StrictValues.read(json), "");
			input = StrictValues.convert(json, this.type);
		}
		catch (InvalidArgumentsException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw Refusals.refusal("", this.type, ex);
		}
		Map<String, @Nullable Object> values = new HashMap<>(PlainArguments.INSTANCE.convert(json));
		if (input != null) {
			this.properties.forEach((name, property) -> values.put(name, property.getValue(input)));
		}
		return values;
	}

	@Override
	public boolean takesMoreThan(Set<String> declared) {
		return StrictValues.takeMoreThan(List.of(this.type), declared);
	}

}
