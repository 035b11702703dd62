package io.github.idem.tool;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.github.idem.OperationStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;

import static io.github.idem.tool.ScriptedChatModel.call;
import static io.github.idem.tool.ScriptedChatModel.calls;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which arguments are equal, which are refused, and what the record holds then: the way
 * through model, engine and database. The finer points are with the classes that decide
 * them.
 */
abstract class ArgumentCasesTest extends ToolCallTest {

	private static final String CHARGE = "{\"user\":\"u1\",\"amount\":%s}";

	private OrderDesk desk = new OrderDesk();

	@BeforeEach
	void newDesk() {
		this.desk = new OrderDesk();
	}

	@ParameterizedTest
	@EnumSource
	void emptyArgumentsInATrailingDeltaAreRefusedNotRunAsAnEmptyObject(Mode mode) {
		this.model
			.rounds(calls(call("call_1", "chargeExactly", CHARGE.formatted("1")), call("call_1", "chargeExactly", "")));
		askDesk(mode);
		assertThat(this.desk.entered).containsExactly(new BigDecimal("1"));
		assertThat(responses().get(0)).isEqualTo("\"charged\"");
		assertThat(responses().get(1)).contains("user", "amount");
		assertThat(rows()).isOne();
	}

	@ParameterizedTest
	@EnumSource
	void twoObjectsGluedTogetherAreRefusedBeforeTheClaim(Mode mode) {
		ask(mode, "chargeExactly", CHARGE.formatted("1") + CHARGE.formatted("2"));
		assertRefused("more after the JSON object");
	}

	@ParameterizedTest
	@EnumSource
	void aLineBreakThatIsNotEscapedIsRefused(Mode mode) {
		ask(mode, "label", "{\"text\":\"a\nb\"}");
		assertRefused("not escaped");
	}

	@ParameterizedTest
	@EnumSource
	void aTruncatedObjectIsRefused(Mode mode) {
		ask(mode, "chargeExactly", "{\"user\":\"u1\",\"amount\":1");
		assertRefused("end too early");
	}

	@ParameterizedTest
	@EnumSource
	void theWholeObjectAsATextIsRefused(Mode mode) {
		ask(mode, "chargeExactly", "\"{\\\"user\\\":\\\"u1\\\",\\\"amount\\\":1}\"");
		assertRefused("JSON string");
	}

	@ParameterizedTest
	@EnumSource
	void amountsThatADoubleCannotTellApartAreTwoOperations(Mode mode) {
		ask(mode, "chargeExactly", CHARGE.formatted("12345678901234567.89"), CHARGE.formatted("12345678901234568.00"));
		assertOperations(2);
	}

	@ParameterizedTest
	@EnumSource
	void textThatHoldsANumberIsTheTextAndNotTheNumber(Mode mode) {
		ask(mode, "label", "{\"text\":\"29.90\"}", "{\"text\":\"29.9\"}");
		assertOperations(2);
		assertThat(this.desk.entered).containsExactly("29.90", "29.9");
	}

	@ParameterizedTest
	@EnumSource
	void aNumberIsOneHoweverItIsWritten(Mode mode) {
		ask(mode, "reserve", "{\"quantity\":1}", "{\"quantity\":1.0}", "{\"quantity\":1e0}", "{\"quantity\":\"1\"}");
		assertOperations(1);
		ask(mode, "chargeExactly", CHARGE.formatted("1"), CHARGE.formatted("1.0"), CHARGE.formatted("1e0"));
		assertOperations(2);
	}

	@ParameterizedTest
	@EnumSource
	void theOrderOfMembersIsNothingAtAnyDepthAndTheOrderOfAnArrayIsSomething(Mode mode) {
		ask(mode, "place", "{\"order\":{\"user\":\"u1\",\"lines\":[{\"sku\":\"a\",\"quantity\":1}]}}",
				"{\"order\":{\"lines\":[{\"quantity\":1,\"sku\":\"a\"}],\"user\":\"u1\"}}");
		assertOperations(1);
		ask(mode, "run", "{\"steps\":[\"a\",\"b\"]}", "{\"steps\":[\"b\",\"a\"]}");
		assertOperations(3);
	}

	@ParameterizedTest
	@EnumSource
	void aReasonThatIsWordedAnewEachTimeIsIgnored(Mode mode) {
		ask(mode, "cancel", "{\"order\":\"o1\",\"reason\":\"late\"}",
				"{\"order\":\"o1\",\"reason\":\"It came too late.\"}");
		assertOperations(1);
	}

	@ParameterizedTest
	@EnumSource
	void anOptionalArgumentThatIsNullIsAbsent(Mode mode) {
		ask(mode, "chargeExactly", "{\"user\":\"u1\",\"amount\":1,\"note\":null}", CHARGE.formatted("1"));
		assertOperations(1);
	}

	@ParameterizedTest
	@EnumSource
	void aNullInAMapIsAValueOfItsOwn(Mode mode) {
		ask(mode, "patch", "{\"changes\":{\"phone\":null}}", "{\"changes\":{}}");
		assertOperations(2);
		assertThat(this.desk.entered.get(0)).isInstanceOf(Map.class)
			.satisfies((changes) -> assertThat(((Map<?, ?>) changes).containsKey("phone")).isTrue());
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"user\":\"u1\"}", "{\"user\":\"u1\",\"amount\":null}", "{}", "", "null" })
	void aRequiredArgumentThatIsMissingOrNullIsRefusedByItsName(String arguments) {
		ask(Mode.CALL, "chargeExactly", arguments);
		assertRefused("null".equals(arguments) ? "not a JSON object" : "amount");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					reserve       | {"quantity":1.7}        | 'quantity'
					reserve       | {"quantity":3e9}        | 'quantity'
					reserve       | {"quantity":"many"}     | 'quantity'
					label         | {"text":{"a":1}}        | 'text'
					chargeExactly | {"user":"u1","amount":"much"} | 'amount'
					run           | {"steps":"first"}       | 'steps'
					place         | {"order":{"user":"u1","lines":[{"sku":"a","quantity":1},{"sku":"b","quantity":"two"}]}} | 'order.lines[1].quantity'
					book          | {"table":"t1","guests":2.5} | 'guests'
					book          | {"table":[],"guests":2} | 'table'
					""")
	void aValueThatDoesNotConvertIsRefusedByItsNameAndNotQuoted(String tool, String arguments, String name) {
		ask(Mode.CALL, tool, arguments);
		assertRefused(name);
		assertThat(responses().get(0)).doesNotContain("much", "many", "two", "first", "1.7", "java", "Exception");
	}

	@Test
	void whatWasRefusedCanBeMendedAndThenRuns() {
		ask(Mode.CALL, "reserve", "{\"quantity\":1.7}", "{\"quantity\":2}");
		assertOperations(1);
		assertThat(this.desk.entered).containsExactly(2);
		assertThat(responses()).last().isEqualTo("\"reserved\"");
	}

	@ParameterizedTest
	@EnumSource
	void anArrayInQuotesIsTheArrayAndTheToolGetsTheArray(Mode mode) {
		ask(mode, "run", "{\"steps\":\"[\\\"a\\\",\\\"b\\\"]\"}", "{\"steps\":[\"a\",\"b\"]}");
		assertOperations(1);
		assertThat(this.desk.entered).containsExactly(List.of("a", "b"));
	}

	@ParameterizedTest
	@EnumSource
	void keyExpressionsSeeTheValuesThatTheToolWillSee(Mode mode) {
		ask(mode, "place", "{\"order\":{\"user\":\"u1\",\"lines\":[{\"sku\":\"a\",\"quantity\":1.0}]}}");
		ask(mode, "book", "{\"table\":\"t1\",\"guests\":2}");
		assertThat(
				this.jdbc.sql("SELECT business_ref FROM idem_operation ORDER BY created_at").query(String.class).list())
			.containsExactly("u1:1", "t1");
	}

	/** One call after the other, each under an id of its own. */
	private void ask(Mode mode, String tool, String... arguments) {
		this.model.rounds(IntStream.range(0, arguments.length)
			.mapToObj((i) -> calls(call("call_" + tool + i, tool, arguments[i])))
			.toArray(AssistantMessage[]::new));
		askDesk(mode);
	}

	private void askDesk(Mode mode) {
		String answer = ask(mode,
				(request) -> request.tools(this.desk, this.desk.book()).toolContext(Map.of("task_id", "t1")));
		assertThat(answer).isEqualTo("done");
	}

	private List<String> responses() {
		return this.model.lastToolResponses().stream().map(ToolResponse::responseData).toList();
	}

	private void assertRefused(String message) {
		assertThat(responses()).singleElement().asString().contains(message);
		assertThat(this.desk.entered).isEmpty();
		assertThat(rows()).isZero();
	}

	private void assertOperations(int count) {
		assertThat(this.desk.entered).hasSize(count);
		List<String> states = this.jdbc.sql("SELECT status FROM idem_operation").query(String.class).list();
		assertThat(states).hasSize(count).containsOnly(OperationStatus.SUCCEEDED.name());
		assertThat(
				this.jdbc.sql("SELECT count(DISTINCT fingerprint) FROM idem_operation").query(Integer.class).single())
			.isEqualTo(count);
	}

}
