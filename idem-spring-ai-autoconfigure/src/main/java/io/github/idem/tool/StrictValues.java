package io.github.idem.tool;

import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.idem.InvalidArgumentsException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.ClassIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

import org.springframework.ai.util.JacksonUtils;

/**
 * Spring AI's own mapper, with everything switched off by which it would guess or lose
 * something. What is converted here, Spring AI converts to the same value.
 */
final class StrictValues {

	private static final JsonMapper MAPPER = JacksonUtils.getDefaultJsonMapper()
		.rebuild()
		.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
		.enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
				DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT, DeserializationFeature.ACCEPT_EMPTY_STRING_AS_NULL_OBJECT)
		.enable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
		.enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
		.withCoercionConfigDefaults((all) -> all.setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail))
		.withCoercionConfig(LogicalType.Textual,
				(text) -> text.setCoercion(CoercionInputShape.EmptyString, CoercionAction.TryConvert))
		.addModule(new ExactValues())
		.build();

	private StrictValues() {
	}

	static JavaType type(Type type) {
		return MAPPER.constructType(type);
	}

	/**
	 * Read JSON text.
	 * @throws JacksonException if it is not exactly one JSON value
	 */
	static JsonNode read(String json) {
		return MAPPER.readTree(json);
	}

	/**
	 * Convert a JSON value that was read before.
	 * @throws JacksonException if it does not convert without loss
	 */
	static @Nullable Object convert(JsonNode value, JavaType type) {
		return MAPPER.readerFor(type).readValue(value);
	}

	/**
	 * Convert JSON text, numbers as they are spelled.
	 * @throws JacksonException if it does not convert without loss
	 */
	static @Nullable Object convert(String json, JavaType type) {
		return MAPPER.readValue(json, type);
	}

	/** A constant as it is written in JSON. */
	static String written(Object constant) {
		return MAPPER.valueToTree(constant).asString("");
	}

	/** Whether types tell values apart by more than what a schema declares. */
	static boolean takeMoreThan(List<JavaType> types, Set<String> declared) {
		return SchemaGaps.exist(MAPPER, types, declared);
	}

	/** What can be asked of a bean or record, by the names it has in JSON. */
	static Map<String, AnnotatedMember> properties(JavaType type) {
		if (type.isContainerType() || type.isReferenceType()) {
			return Map.of();
		}
		SerializationConfig config = MAPPER.serializationConfig();
		ClassIntrospector introspector = config.classIntrospectorInstance();
		Map<String, AnnotatedMember> properties = new HashMap<>();
		introspector.introspectForSerialization(type, introspector.introspectClassAnnotations(type))
			.findProperties()
			.forEach((property) -> {
				AnnotatedMember accessor = property.getAccessor();
				if (accessor != null) {
					accessor.fixAccess(true);
					properties.put(property.getName(), accessor);
				}
			});
		return properties;
	}

	/**
	 * Refuse numbers that mean one value here and another to the tool. Spring AI reads a
	 * number with a point or an exponent as a double. Digits it loses of a fraction, it
	 * always loses; but a whole number keeps them all if it is spelled without point and
	 * exponent, and the same number has one fingerprint in either spelling.
	 * @param value the value
	 * @param path where it stands
	 * @throws InvalidArgumentsException if there is such a number
	 */
	static void refuseLostNumbers(JsonNode value, String path) {
		if (value.isObject()) {
			value.properties()
				.forEach((member) -> refuseLostNumbers(member.getValue(), Refusals.member(path, member.getKey())));
		}
		else if (value.isArray()) {
			for (int i = 0; i < value.size(); i++) {
				refuseLostNumbers(value.get(i), path + "[" + i + "]");
			}
		}
		else if (value.isBigDecimal()) {
			refuseLost(value.decimalValue(), path);
		}
	}

	private static void refuseLost(BigDecimal number, String path) {
		double read = number.doubleValue();
		if (Double.isInfinite(read) || (read == 0 && number.signum() != 0)) {
			throw Refusals.refusal(path, "a number from -1.7e308 to 1.7e308, not closer to zero than 4.9e-324");
		}
		if (isWhole(number) && new BigDecimal(Double.toString(read)).compareTo(number) != 0) {
			throw Refusals.refusal(path, "a whole number without decimal point and exponent, for it has many digits");
		}
	}

	static boolean isWhole(BigDecimal number) {
		return number.signum() == 0 || number.scale() <= 0 || number.stripTrailingZeros().scale() <= 0;
	}

}
