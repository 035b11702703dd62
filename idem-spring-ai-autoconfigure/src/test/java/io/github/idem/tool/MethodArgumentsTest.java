package io.github.idem.tool;

import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.github.idem.InvalidArgumentsException;
import io.github.idem.identity.ArgumentSchema;
import io.github.idem.tool.RecordingTools.Line;
import io.github.idem.tool.RecordingTools.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.method.MethodToolCallback;
import org.springframework.ai.tool.support.ToolDefinitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What binds, what is refused and how that is said. */
class MethodArgumentsTest {

	private static final String LINE = "{'sku':'s','quantity':2,'price':9.90}";

	private final RecordingTools tools = new RecordingTools();

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					oneInt       | {'value':1.7}                  | value             | a whole number from -2147483648 to 2147483647
					oneInt       | {'value':3e9}                  | value             | a whole number from -2147483648 to 2147483647
					oneInt       | {'value':'abc'}                | value             | a whole number from -2147483648 to 2147483647
					oneInt       | {'value':' 1'}                 | value             | a whole number from -2147483648 to 2147483647
					oneInt       | {'value':'1.7'}                | value             | a whole number from -2147483648 to 2147483647
					oneInt       | {'value':true}                 | value             | a whole number from -2147483648 to 2147483647
					oneInt       | {'value':[1]}                  | value             | a whole number from -2147483648 to 2147483647
					oneInt       | {'value':null}                 | value             | a whole number from -2147483648 to 2147483647
					oneInt       | {'value':'null'}               | value             | a whole number from -2147483648 to 2147483647
					oneInt       | {'value':''}                   | value             | a whole number from -2147483648 to 2147483647
					oneLong      | {'value':1e20}                 | value             | a whole number from -9223372036854775808 to 9223372036854775807
					oneLong      | {'value':9007199254740993.0}   | value             | a whole number without decimal point and exponent, for it has many digits
					oneDecimal   | {'value':'abc'}                | value             | a number
					oneDecimal   | {'value':1e400}                | value             | a number from -1.7e308 to 1.7e308, not closer to zero than 4.9e-324
					oneDouble    | {'value':'1e999'}              | value             | a number from -1.7e308 to 1.7e308, not closer to zero than 4.9e-324
					oneBoolean   | {'value':1}                    | value             | true or false
					oneBoolean   | {'value':'yes'}                | value             | true or false
					oneText      | {'value':{'a':1}}              | value             | text in quotes
					oneText      | {'value':[1]}                  | value             | text in quotes
					oneText      | {'value':1.0}                  | value             | text in quotes
					oneText      | {'value':12345678901234567.89} | value             | text in quotes
					oneSize      | {'value':0}                    | value             | one of SMALL, LARGE
					oneSize      | {'value':'0'}                  | value             | one of SMALL, LARGE
					oneSize      | {'value':'HUGE'}               | value             | one of SMALL, LARGE
					times        | {'date':'soon'}                | date              | a date in quotes, such as 2026-11-30
					times        | {'uuid':'soon'}                | uuid              | a UUID in quotes
					times        | {'instant':'soon'}             | instant           | a date and time in quotes, such as 2026-11-30T12:30:00Z
					times        | {'duration':'soon'}            | duration          | a duration in quotes, such as PT15M
					listOfInts   | {'values':[1,2,1.5]}           | values[2]         | a whole number from -2147483648 to 2147483647
					listOfInts   | {'values':'[1,2,1.5]'}         | values[2]         | a whole number from -2147483648 to 2147483647
					listOfInts   | {'values':5}                   | values            | an array
					listOfInts   | {'values':'[1] and more'}      | values            | an array
					mapOfInts    | {'values':{'x':1.5}}           | values.x          | a whole number from -2147483648 to 2147483647
					mapOfInts    | {'values':{'4111 1111':1.5}}   | values.*          | a whole number from -2147483648 to 2147483647
					mapOfInts    | {'values':[]}                  | values            | an object as its schema describes
					arrays       | {'ints':[1,null],'texts':[]}   | ints              | a whole number from -2147483648 to 2147483647
					arrays       | {'ints':[1,1.5],'texts':[]}    | ints[1]           | a whole number from -2147483648 to 2147483647
					oneLine      | {'value':{'sku':'s','quantity':null,'price':1}} | value.quantity | a whole number from -2147483648 to 2147483647
					oneLine      | {'value':{'sku':'s','price':1}} | value.quantity   | a whole number from -2147483648 to 2147483647
					oneLine      | {'value':'a line'}             | value             | an object as its schema describes
					oneOrder     | {'value':{'id':'o','lines':[{'quantity':1},{'quantity':2},{'quantity':1.5}]}} | value.lines[2].quantity | a whole number from -2147483648 to 2147483647
					oneOrder     | {'value':{'id':'o','size':'HUGE'}} | value.size    | one of SMALL, LARGE
					""")
	void whatDoesNotConvertWithoutLossIsRefusedWithTheParameterAndWhatIsExpected(String tool, String arguments,
			String path, String expected) {
		assertThatExceptionOfType(InvalidArgumentsException.class).isThrownBy(() -> bind(tool, arguments))
			.withMessage("Argument '%s' does not fit, so nothing was done: send %s.", path, expected)
			.withNoCause();
	}

	@ParameterizedTest
	@ValueSource(strings = { "1", "1.0", "1e0", "10e-1", "'1'", "'1.0'" })
	void aWholeNumberIsAnIntHoweverItIsSpelled(String spelling) {
		assertThat(bind("oneInt", "{'value':%s}".formatted(spelling))).containsEntry("value", 1);
		assertThat(received("oneInt", "{'value':%s}".formatted(spelling))).containsExactly(1);
	}

	@Test
	void valuesBindAsSpringAiBindsThem() {
		assertThat(bind("payment",
				"{'user':'u','amount':'29.90','size':'SMALL','tags':['a','b'],'express':'true','more':1}"))
			.isEqualTo(Map.of("user", "u", "amount", new BigDecimal("29.90"), "size", Size.SMALL, "tags",
					List.of("a", "b"), "express", true));
		assertThat(bind("big", "{'whole':123456789012345678901234567890}")).containsEntry("whole",
				new BigInteger("123456789012345678901234567890"));
		assertThat(bind("times", "{'date':'2026-01-02'}")).containsEntry("date", LocalDate.of(2026, 1, 2));
		assertThat(bind("listOfLines", "{'values':[" + LINE + "]}")).containsEntry("values",
				List.of(new Line("s", 2, new BigDecimal("9.9"), null)));
		assertThat(bind("setOfSizes", "{'values':['SMALL']}")).containsEntry("values", Set.of(Size.SMALL));
		assertThat(bind("optionals", "{'text':'a','number':1,'line':null}")).containsEntry("text", Optional.of("a"))
			.containsEntry("number", Optional.of(1))
			.containsEntry("line", null);
		assertThat(bind("texts", "{'first':'a'}").keySet()).as("no tool context").containsOnly("first", "second");
	}

	@Test
	void anArrayOrObjectInQuotesIsBoundAsWhatItHolds() {
		assertThat(bind("listOfInts", "{'values':'[1,2]'}")).containsEntry("values", List.of(1, 2));
		assertThat(received("listOfInts", "{'values':'[1,2]'}")).containsExactly(List.of(1, 2));
		assertSame("listOfInts", "{'values':'[1,2]'}", "{'values':[1,2]}");
		String quoted = "{'value':'" + LINE.replace("'", "\\'") + "'}";
		assertSame("oneLine", quoted, "{'value':" + LINE + "}");
		assertThat(received("oneLine", quoted)).isEqualTo(received("oneLine", "{'value':" + LINE + "}"));
	}

	@Test
	void aDecimalIsExactForTheKeyThoughSpringAiRoundsItForTheMethod() {
		String amount = "{'value':12345678901234567.89}";
		assertThat(bind("oneDecimal", amount)).containsEntry("value", new BigDecimal("12345678901234567.89"));
		assertThat(received("oneDecimal", amount)).containsExactly(new BigDecimal("12345678901234568"));
		assertThat(received("oneDecimal", "{'value':'12345678901234567.89'}"))
			.containsExactly(new BigDecimal("12345678901234567.89"));
	}

	@Test
	void textThatSpringAiWouldCutOffIsRefused() {
		assertThat(received("optionalText", "{'value':'12 Main Street'}")).containsExactly(Optional.of("12"));
		for (String text : List.of("Main Street 12", "1.50", "true", "[urgent] call")) {
			assertThat(bind("optionalText", "{'value':'%s'}".formatted(text))).containsEntry("value",
					Optional.of(text));
		}
		for (String text : List.of("12 Main Street", " 1", "null")) {
			assertThatExceptionOfType(InvalidArgumentsException.class)
				.isThrownBy(() -> bind("optionalText", "{'value':'%s'}".formatted(text)))
				.withMessageContaining("'value'")
				.withMessageContaining("text that does not begin like a number");
		}
	}

	@Test
	void digitsBeyondADoubleTellCallsApartThoughTheMethodReceivesTheSame() {
		assertToldApart("oneDecimal", "{'value':12345678901234567.89}", "{'value':12345678901234568.00}");
		assertToldApart("oneDouble", "{'value':0.10000000000000000001}", "{'value':0.1}");
	}

	@Test
	void aNumberSentForAStringIsNotTheTextOfIt() {
		assertToldApart("oneText", "{'value':1}", "{'value':'1'}");
		assertToldApart("oneText", "{'value':29.9}", "{'value':'29.9'}");
		assertSame("oneText", "{'value':29.9}", "{'value':29.90}");
		assertThat(received("oneText", "{'value':29.9}")).isEqualTo(received("oneText", "{'value':29.90}"));
		assertThat(bind("oneText", "{'value':29.90}")).containsEntry("value", "29.9");
	}

	@Test
	void aBooleanSentForAStringIsNotTheTextOfIt() {
		assertToldApart("oneText", "{'value':true}", "{'value':'true'}");
	}

	@Test
	void twoSpellingsOfOneTimeUuidOrConstantAreTwoCalls() {
		assertToldApart("times", "{'duration':'PT1H'}", "{'duration':'PT60M'}");
		assertToldApart("times", "{'instant':'2026-01-02T00:00:00Z'}", "{'instant':1767312000}");
		assertToldApart("times", "{'uuid':'123e4567-e89b-12d3-a456-426614174000'}",
				"{'uuid':'123E4567-E89B-12D3-A456-426614174000'}");
		assertToldApart("oneSize", "{'value':'SMALL'}", "{'value':' SMALL'}");
	}

	@Test
	void orderAndRepeatsOfAnArrayCountAlsoWhereItBecomesASet() {
		assertToldApart("setOfSizes", "{'values':['SMALL','LARGE']}", "{'values':['LARGE','SMALL']}");
		assertToldApart("setOfSizes", "{'values':['SMALL']}", "{'values':['SMALL','SMALL']}");
	}

	@Test
	void whereTheSchemaIsSilentQuotesAndNullsAndMoreMembersCount() {
		assertToldApart("mapOfInts", "{'values':{'x':1}}", "{'values':{'x':'1'}}");
		assertToldApart("oneByte", "{'value':1}", "{'value':'1'}");
		assertToldApart("optionals", "{'text':'a','number':1,'line':" + LINE + "}",
				"{'text':'a','number':'1','line':" + LINE + "}");
		assertToldApart("mapOfLines", "{'values':{'x':%s}}".formatted(LINE),
				"{'values':{'x':%s}}".formatted(LINE.replace("}", ",'gift':null}")));
		String tree = "{'value':{'weight':1,'branches':[{'weight':%s,'branches':[]}]}}";
		assertToldApart("oneTree", tree.formatted("1"), tree.formatted("'1'"));
	}

	private void assertToldApart(String tool, String one, String other) {
		assertThat(fingerprint(tool, one)).isNotEqualTo(fingerprint(tool, other));
		bind(tool, one);
		bind(tool, other);
		assertThat(received(tool, one)).isEqualTo(received(tool, other));
	}

	private void assertSame(String tool, String one, String other) {
		assertThat(fingerprint(tool, one)).isEqualTo(fingerprint(tool, other));
	}

	private static String fingerprint(String tool, String arguments) {
		return schema(tool).read(json(arguments), Set.of()).fingerprint();
	}

	private static Map<String, @Nullable Object> bind(String tool, String arguments) {
		return new MethodArguments(method(tool)).convert(schema(tool).read(json(arguments), Set.of()).json());
	}

	/** What Spring AI hands to the method. */
	private List<@Nullable Object> received(String tool, String arguments) {
		MethodToolCallback.builder()
			.toolDefinition(ToolDefinitions.from(method(tool)))
			.toolMethod(method(tool))
			.toolObject(this.tools)
			.build()
			.call(schema(tool).read(json(arguments), Set.of()).json(), new ToolContext(Map.of("task_id", "t1")));
		return this.tools.received();
	}

	private static ArgumentSchema schema(String tool) {
		return ArgumentSchema.of(ToolDefinitions.from(method(tool)).inputSchema());
	}

	private static Method method(String tool) {
		return Arrays.stream(RecordingTools.class.getDeclaredMethods())
			.filter((method) -> method.getName().equals(tool))
			.findFirst()
			.orElseThrow();
	}

	/** Single quotes are easier to read. */
	private static String json(String withSingleQuotes) {
		return withSingleQuotes.replace('\'', '"');
	}

}
