package io.github.idem.tool;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import io.github.idem.Idempotent;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.annotation.Tool;

/** Tools with parameters of every kind, which only remember what they were handed. */
class RecordingTools {

	enum Size {

		SMALL, LARGE

	}

	record Line(String sku, int quantity, BigDecimal price, @Nullable Boolean gift) {
	}

	record Order(String id, List<Line> lines, Optional<String> note, Size size, Map<String, Integer> stock,
			LocalDate due, double[] weights) {
	}

	record Tree(int weight, List<Tree> branches) {
	}

	private List<@Nullable Object> received = List.of();

	/** The arguments of the last call, without the tool context. */
	List<@Nullable Object> received() {
		return this.received;
	}

	private void receive(@Nullable Object... arguments) {
		this.received = Arrays.asList(arguments);
	}

	@Tool
	@Idempotent
	void integers(int anInt, long aLong, @Nullable Integer boxed, short aShort) {
		receive(anInt, aLong, boxed, aShort);
	}

	@Tool
	@Idempotent
	void oneInt(int value) {
		receive(value);
	}

	@Tool
	@Idempotent
	void oneLong(@Nullable Long value) {
		receive(value);
	}

	@Tool
	@Idempotent
	void oneByte(byte value) {
		receive(value);
	}

	@Tool
	@Idempotent
	void big(@Nullable BigInteger whole, @Nullable BigDecimal decimal) {
		receive(whole, decimal);
	}

	@Tool
	@Idempotent
	void oneDecimal(BigDecimal value) {
		receive(value);
	}

	@Tool
	@Idempotent
	void floating(double aDouble, float aFloat) {
		receive(aDouble, aFloat);
	}

	@Tool
	@Idempotent
	void oneDouble(double value) {
		receive(value);
	}

	@Tool
	@Idempotent
	void oneBoolean(boolean value) {
		receive(value);
	}

	@Tool
	@Idempotent
	void oneText(String value) {
		receive(value);
	}

	@Tool
	@Idempotent
	void texts(String first, @Nullable String second, ToolContext context) {
		receive(first, second);
	}

	@Tool
	@Idempotent
	void oneSize(Size value) {
		receive(value);
	}

	@Tool
	@Idempotent
	void times(@Nullable LocalDate date, @Nullable Instant instant, @Nullable Duration duration, @Nullable UUID uuid) {
		receive(date, instant, duration, uuid);
	}

	@Tool
	@Idempotent
	void oneLine(Line value) {
		receive(value);
	}

	@Tool
	@Idempotent
	void oneOrder(Order value) {
		receive(value);
	}

	@Tool
	@Idempotent
	void oneTree(Tree value) {
		receive(value);
	}

	@Tool
	@Idempotent
	void listOfInts(List<Integer> values) {
		receive(values);
	}

	@Tool
	@Idempotent
	void listOfTexts(List<String> values) {
		receive(values);
	}

	@Tool
	@Idempotent
	void listOfLines(List<Line> values) {
		receive(values);
	}

	@Tool
	@Idempotent
	void listOfMaps(List<Map<String, BigDecimal>> values) {
		receive(values);
	}

	@Tool
	@Idempotent
	void setOfSizes(Set<Size> values) {
		receive(values);
	}

	@Tool
	@Idempotent
	void mapOfInts(Map<String, Integer> values) {
		receive(values);
	}

	@Tool
	@Idempotent
	void mapOfLines(Map<String, Line> values) {
		receive(values);
	}

	@Tool
	@Idempotent
	void mapOfAnything(Map<String, Object> values) {
		receive(values);
	}

	@Tool
	@Idempotent
	void optionals(Optional<String> text, Optional<Integer> number, Optional<Line> line) {
		receive(text, number, line);
	}

	@Tool
	@Idempotent
	void optionalText(Optional<String> value) {
		receive(value);
	}

	@Tool
	@Idempotent
	void arrays(int[] ints, String... texts) {
		receive(ints, texts);
	}

	@Tool
	@Idempotent
	void arrayOfLines(Line[] values) {
		receive((Object) values);
	}

	@Tool
	@Idempotent
	void anything(@Nullable Object value) {
		receive(value);
	}

	@Tool
	@Idempotent
	void payment(String user, BigDecimal amount, @Nullable Size size, List<String> tags, boolean express) {
		receive(user, amount, size, tags, express);
	}

}
