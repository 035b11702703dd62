package io.github.idem.tool;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.idem.InvalidArgumentsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FunctionArgumentsTest {

	record Booking(String table, int guests, @JsonProperty("max_price") BigDecimal maxPrice, Optional<String> note) {
	}

	private final FunctionArguments booking = new FunctionArguments(Booking.class);

	@Test
	void everyPropertyOfTheInputIsAnArgumentBoundAsTheFunctionGetsIt() {
		assertThat(this.booking
			.convert("{\"table\":4711,\"guests\":2.0,\"max_price\":12345678901234567.89,\"thought\":1,\"note\":\"a\"}"))
			.containsEntry("table", "4711")
			.containsEntry("guests", 2)
			.containsEntry("max_price", new BigDecimal("12345678901234567.89"))
			.containsEntry("note", Optional.of("a"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					{"table":"t","guests":1.5,"max_price":1}   | Argument 'guests' does not fit, so nothing was done: send a whole number from -2147483648 to 2147483647.
					{"table":"t","guests":"1.0","max_price":1} | Argument 'guests' does not fit, so nothing was done: send a whole number from -2147483648 to 2147483647.
					{"table":"t","max_price":1}                | Argument 'guests' does not fit, so nothing was done: send a whole number from -2147483648 to 2147483647.
					{"table":29.90,"guests":1,"max_price":1}   | Argument 'table' does not fit, so nothing was done: send text in quotes.
					{"table":"t","guests":1,"max_price":"low"} | Argument 'max_price' does not fit, so nothing was done: send a number.
					""")
	void whatDoesNotConvertWithoutLossIsRefused(String arguments, String message) {
		assertThatExceptionOfType(InvalidArgumentsException.class).isThrownBy(() -> this.booking.convert(arguments))
			.withMessage(message)
			.withNoCause();
	}

	@Test
	void anInputWithoutPropertiesHasItsMembersForArguments() {
		assertThat(new FunctionArguments(Map.class).convert("{\"a\":[1],\"empty\":\"x\"}"))
			.isEqualTo(Map.of("a", List.of(1), "empty", "x"));
		assertThat(new FunctionArguments(Void.class).convert("{}")).isEmpty();
	}

}
