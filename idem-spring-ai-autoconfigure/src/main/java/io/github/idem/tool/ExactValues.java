package io.github.idem.tool;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.module.SimpleModule;

/**
 * What no feature of Jackson says: numbers that are converted by their value or not at
 * all, so that {@code 1.0} is an int and {@code 1.7} is none.
 */
final class ExactValues extends SimpleModule {

	private static final long serialVersionUID = 1L;

	/** Nothing longer fits a parameter; checked before a number is written out. */
	private static final int MOST_DIGITS = 1_000;

	ExactValues() {
		whole(byte.class, Byte.class, BigDecimal::byteValueExact);
		whole(short.class, Short.class, BigDecimal::shortValueExact);
		whole(int.class, Integer.class, BigDecimal::intValueExact);
		whole(long.class, Long.class, BigDecimal::longValueExact);
		addDeserializer(BigInteger.class, new ExactNumber<>(BigInteger.class, true, BigDecimal::toBigIntegerExact));
		number(float.class, Float.class, (number) -> finite(number, number.floatValue()));
		number(double.class, Double.class, (number) -> finite(number, number.doubleValue()));
		addDeserializer(BigDecimal.class, new ExactNumber<>(BigDecimal.class, false, Function.identity()));
		addDeserializer(boolean.class, new ExactBoolean(boolean.class));
		addDeserializer(Boolean.class, new ExactBoolean(Boolean.class));
		addDeserializer(String.class, new Text<>(String.class));
		addDeserializer(CharSequence.class, new Text<>(CharSequence.class));
		array(short[].class, Short.class);
		array(int[].class, Integer.class);
		array(long[].class, Long.class);
		array(float[].class, Float.class);
		array(double[].class, Double.class);
		array(boolean[].class, Boolean.class);
	}

	private <T> void whole(Class<T> primitive, Class<T> wrapper, Function<BigDecimal, T> conversion) {
		addDeserializer(primitive, new ExactNumber<>(primitive, true, conversion));
		addDeserializer(wrapper, new ExactNumber<>(wrapper, true, conversion));
	}

	private <T> void number(Class<T> primitive, Class<T> wrapper, Function<BigDecimal, T> conversion) {
		addDeserializer(primitive, new ExactNumber<>(primitive, false, conversion));
		addDeserializer(wrapper, new ExactNumber<>(wrapper, false, conversion));
	}

	private <T> void array(Class<T> array, Class<?> element) {
		addDeserializer(array, new PrimitiveArray<>(array, element));
	}

	private static <T extends Number> T finite(BigDecimal number, T converted) {
		double value = converted.doubleValue();
		if (Double.isInfinite(value) || (value == 0 && number.signum() != 0)) {
			throw new ArithmeticException("out of range");
		}
		return converted;
	}

	/** That {@code null} is no primitive holds for values, members and absent members. */
	private abstract static class Exact<T> extends StdDeserializer<T> {

		Exact(Class<?> type) {
			super(type);
		}

		@Override
		public @Nullable Object getNullValue(DeserializationContext context) {
			if (handledType().isPrimitive()) {
				return context.reportInputMismatch(this, "no value");
			}
			return null;
		}

		@SuppressWarnings("unchecked")
		@Nullable T refuse(JsonParser parser, DeserializationContext context) {
			return (T) context.handleUnexpectedToken(handledType(), parser);
		}

	}

	/** A number, or text that Jackson takes for the same number wherever it stands. */
	private static final class ExactNumber<T> extends Exact<T> {

		private final boolean whole;

		private final transient Function<BigDecimal, T> conversion;

		ExactNumber(Class<T> type, boolean whole, Function<BigDecimal, T> conversion) {
			super(type);
			this.whole = whole;
			this.conversion = conversion;
		}

		@Override
		public @Nullable T deserialize(JsonParser parser, DeserializationContext context) {
			String text = switch (parser.currentToken()) {
				case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getString();
				case VALUE_STRING -> numberIn(parser.getString());
				default -> null;
			};
			if (text == null) {
				return refuse(parser, context);
			}
			try {
				BigDecimal number = new BigDecimal(text);
				if (this.whole && number.precision() - (long) number.scale() > MOST_DIGITS) {
					throw new ArithmeticException("out of range");
				}
				return this.conversion.apply(number);
			}
			catch (ArithmeticException | NumberFormatException ex) {
				return context.reportInputMismatch(this, "not exact");
			}
		}

		private @Nullable String numberIn(String text) {
			String grammar = this.whole ? "-?(0|[1-9][0-9]*+)" : "-?(0|[1-9][0-9]*+)(\\.[0-9]++)?([eE][+-]?[0-9]++)?";
			return (text.length() <= MOST_DIGITS && text.matches(grammar)) ? text : null;
		}

	}

	private static final class ExactBoolean extends Exact<Boolean> {

		ExactBoolean(Class<Boolean> type) {
			super(type);
		}

		@Override
		public @Nullable Boolean deserialize(JsonParser parser, DeserializationContext context) {
			boolean quoted = parser.hasToken(JsonToken.VALUE_STRING);
			if (parser.hasToken(JsonToken.VALUE_TRUE) || (quoted && parser.getString().equals("true"))) {
				return true;
			}
			if (parser.hasToken(JsonToken.VALUE_FALSE) || (quoted && parser.getString().equals("false"))) {
				return false;
			}
			return refuse(parser, context);
		}

	}

	/**
	 * Text; also a boolean, and a number if there is one way only to write it. Spring AI
	 * makes {@code "1"} of {@code 1} and {@code "1.0"} of {@code 1.0}, which are the same
	 * number.
	 */
	private static final class Text<T extends CharSequence> extends Exact<T> {

		Text(Class<T> type) {
			super(type);
		}

		@Override
		@SuppressWarnings("unchecked")
		public @Nullable T deserialize(JsonParser parser, DeserializationContext context) {
			CharSequence text = switch (parser.currentToken()) {
				case VALUE_STRING, VALUE_TRUE, VALUE_FALSE -> parser.getString();
				case VALUE_NUMBER_INT -> parser.getString().equals("-0") ? null : parser.getString();
				case VALUE_NUMBER_FLOAT -> spelledOneWay(parser.getString());
				default -> null;
			};
			return (text != null) ? (T) text : refuse(parser, context);
		}

		private static @Nullable String spelledOneWay(String number) {
			BigDecimal value = new BigDecimal(number);
			boolean one = !StrictValues.isWhole(value) && value.toString().equals(number)
					&& value.stripTrailingZeros().equals(value) && Double.toString(value.doubleValue()).equals(number);
			return one ? number : null;
		}

	}

	/** Jackson reads these itself, without asking how to read an element. */
	private static final class PrimitiveArray<T> extends Exact<T> {

		private final Class<?> element;

		PrimitiveArray(Class<T> type, Class<?> element) {
			super(type);
			this.element = element;
		}

		@Override
		@SuppressWarnings("unchecked")
		public @Nullable T deserialize(JsonParser parser, DeserializationContext context) {
			if (!parser.isExpectedStartArrayToken()) {
				return refuse(parser, context);
			}
			List<@Nullable Object> elements = context.readValue(parser,
					context.getTypeFactory().constructCollectionType(List.class, this.element));
			Object array = Array.newInstance(handledType().getComponentType(), elements.size());
			for (int i = 0; i < elements.size(); i++) {
				Object value = elements.get(i);
				if (value == null) {
					return context.reportInputMismatch(handledType().getComponentType(), "no value");
				}
				Array.set(array, i, value);
			}
			return (T) array;
		}

	}

}
