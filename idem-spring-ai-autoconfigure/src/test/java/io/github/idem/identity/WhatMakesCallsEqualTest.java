package io.github.idem.identity;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The canonical form, by what it makes equal and what it keeps apart. */
class WhatMakesCallsEqualTest {

	/** As Spring AI generates it for {@code charge(String, BigDecimal, String, ...)}. */
	private static final ArgumentSchema CHARGE = ArgumentSchema.of("""
			{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
			"properties":{"user":{"type":"string"},"amount":{"type":"number"},"count":{"type":"integer"},
			"express":{"type":"boolean"},"note":{"type":"string"},"reason":{"type":"string"},
			"lines":{"type":"array","items":{"type":"object","additionalProperties":false,
			"properties":{"sku":{"type":"string"},"price":{"type":"number"}}}},
			"prices":{"type":"array","items":{"type":"number"}}},
			"required":["user","amount"],"additionalProperties":false}""");

	private static final ArgumentSchema OPEN = ArgumentSchema.of(null);

	@Test
	void theSameCallTwiceIsOne() {
		assertSame(CHARGE, "{\"user\":\"u1\",\"amount\":29.9}", "{\"user\":\"u1\",\"amount\":29.9}");
	}

	@Test
	void memberOrderAndNumberSpellingDoNotMakeAnotherCharge() {
		assertSame(CHARGE, "{\"user\":\"u1\",\"amount\":29.9}", "{\"amount\":29.90, \"user\":\"u1\"}");
		assertSame(CHARGE, "{\"user\":\"u1\",\"amount\":29.9}", "{\"amount\":2.99e1, \"user\":\"u1\"}");
	}

	@Test
	void aReservedMemberTheModelSendsIsDroppedAndChangesNothing() {
		String plain = "{\"user\":\"u1\",\"amount\":1}";
		for (String name : Set.of("request_id", "task_id", "tool_call_id")) {
			String sent = "{\"user\":\"u1\",\"" + name + "\":\"forged\",\"amount\":1}";
			assertSame(CHARGE, plain, sent);
			assertSame(OPEN, plain, sent);
			assertThat(OPEN.read(sent, Set.of()).json()).isEqualTo(plain);
			assertThat(CHARGE.read(sent, Set.of()).json()).isEqualTo(plain);
		}
	}

	@Test
	void otherArgumentsAreAnotherCall() {
		assertDifferent(CHARGE, "{\"user\":\"u1\",\"amount\":1}", "{\"user\":\"u1\",\"amount\":2}");
		assertDifferent(CHARGE, "{\"user\":\"u1\",\"amount\":1}", "{\"user\":\"u2\",\"amount\":1}");
		assertDifferent(CHARGE, "{\"user\":\"u1\",\"amount\":1}", "{\"user\":\"u1\"}");
	}

	@Test
	void amountsThatADoubleCannotTellApartAreDifferent() {
		assertDifferent(CHARGE, "{\"amount\":12345678901234567.89}", "{\"amount\":12345678901234568.00}");
		assertDifferent(CHARGE, "{\"amount\":12345678901234567.89}", "{\"amount\":12345678901234567.88}");
	}

	@Test
	void textThatLooksLikeANumberStaysTextWhereTheToolTakesText() {
		assertDifferent(CHARGE, "{\"user\":\"29.90\"}", "{\"user\":\"29.9\"}");
		assertDifferent(CHARGE, "{\"user\":\"29.9\"}", "{\"user\":29.9}");
		assertDifferent(OPEN, "{\"user\":\"29.9\"}", "{\"user\":29.9}");
		assertDifferent(CHARGE, "{\"user\":\"true\"}", "{\"user\":true}");
	}

	@Test
	void aNumberIsItsValueHoweverItIsSpelled() {
		for (ArgumentSchema schema : Set.of(CHARGE, OPEN)) {
			assertSame(schema, "{\"count\":1}", "{\"count\":1.0}");
			assertSame(schema, "{\"count\":1}", "{\"count\":1e0}");
			assertSame(schema, "{\"count\":100}", "{\"count\":1E+2}");
			assertSame(schema, "{\"count\":0}", "{\"count\":-0.00e7}");
			assertDifferent(schema, "{\"count\":1}", "{\"count\":10}");
			assertDifferent(schema, "{\"count\":1}", "{\"count\":-1}");
			assertDifferent(schema, "{\"count\":1}", "{\"count\":1.01}");
		}
	}

	@Test
	void aNumberInQuotesCountsAsTheNumberWhereTheToolTakesANumber() {
		assertSame(CHARGE, "{\"amount\":29.9}", "{\"amount\":\"29.90\"}");
		assertSame(CHARGE, "{\"prices\":[1,2]}", "{\"prices\":[\"1.0\",2]}");
		assertSame(CHARGE, "{\"lines\":[{\"price\":1}]}", "{\"lines\":[{\"price\":\"1\"}]}");
		assertDifferent(CHARGE, "{\"lines\":[{\"sku\":1}]}", "{\"lines\":[{\"sku\":\"1\"}]}");
		for (String noNumber : Set.of("1,5", " 1.5", "+1.5", "01.5", "1.", ".5", "1.5 ", "0x1", "NaN", "1_5", "")) {
			assertDifferent(CHARGE, "{\"amount\":1.5}", "{\"amount\":\"" + noNumber + "\"}");
		}
	}

	@Test
	void trueInQuotesCountsAsTrueWhereTheToolTakesABoolean() {
		assertSame(CHARGE, "{\"express\":true}", "{\"express\":\"true\"}");
		assertSame(CHARGE, "{\"express\":false}", "{\"express\":\"false\"}");
		assertDifferent(CHARGE, "{\"express\":true}", "{\"express\":\"false\"}");
		assertDifferent(CHARGE, "{\"express\":true}", "{\"express\":\"yes\"}");
	}

	@Test
	void theOrderOfNestedMembersIsNothingAndTheOrderOfAnArrayIsSomething() {
		for (ArgumentSchema schema : Set.of(CHARGE, OPEN)) {
			assertSame(schema, "{\"lines\":[{\"sku\":\"a\",\"price\":1}],\"user\":\"u\"}",
					"{\"user\":\"u\",\"lines\":[{\"price\":1,\"sku\":\"a\"}]}");
			assertDifferent(schema, "{\"prices\":[1,2]}", "{\"prices\":[2,1]}");
		}
		assertSame(OPEN, "{\"b\":{\"d\":{\"y\":1,\"x\":2},\"c\":3},\"a\":4}",
				"{\"a\":4,\"b\":{\"c\":3,\"d\":{\"x\":2,\"y\":1}}}");
	}

	@Test
	void theOrderOfManyMembersIsNothingEither() {
		List<String> members = new ArrayList<>();
		for (int i = 0; i < 200; i++) {
			members.add("\"m" + i + "\":" + i);
		}
		String inOrder = "{" + String.join(",", members) + "}";
		for (int i = 0; i < 20; i++) {
			Collections.shuffle(members, new Random(i));
			assertSame(OPEN, inOrder, "{" + String.join(",", members) + "}");
			assertDifferent(OPEN, inOrder, "{" + String.join(",", members.subList(1, 200)) + "}");
		}
	}

	@Test
	void anIgnoredArgumentDoesNotMakeACallDifferent() {
		Set<String> ignoring = Set.of("reason");
		Arguments first = CHARGE.read("{\"user\":\"u1\",\"reason\":\"as you asked\"}", ignoring);
		Arguments second = CHARGE.read("{\"reason\":\"because of the order\",\"user\":\"u1\"}", ignoring);
		assertThat(second.fingerprint()).isEqualTo(first.fingerprint());
		assertThat(second.json()).contains("because of the order");
		assertDifferent(CHARGE, first.json(), second.json());
		// Only at the top: a line's own "reason" is a line's matter.
		assertThat(OPEN.read("{\"line\":{\"reason\":1}}", ignoring).fingerprint())
			.isNotEqualTo(OPEN.read("{\"line\":{\"reason\":2}}", ignoring).fingerprint());
	}

	@Test
	void aMoneyAmountInQuotesThatADoubleCannotHoldIsNotTheNumber() {
		// As text the method gets all digits, as a number what a double keeps of them.
		assertDifferent(CHARGE, "{\"amount\":12345678901234567.89}", "{\"amount\":\"12345678901234567.89\"}");
		assertDifferent(CHARGE, "{\"amount\":0.1234567890123456789}", "{\"amount\":\"0.1234567890123456789\"}");
		assertDifferent(CHARGE, "{\"amount\":1e-400}", "{\"amount\":\"1e-400\"}");
		assertDifferent(CHARGE, "{\"amount\":1e400}", "{\"amount\":\"1e400\"}");
		for (String kept : Set.of("12345678901234567", "123456789012345678901234567890", "1234567890123456.5", "1e300",
				"2e23", "-0.00", "0e999999999999", "0.000000000000000000000000000000000000000", "1.50e1")) {
			assertSame(CHARGE, "{\"amount\":%s}".formatted(kept), "{\"amount\":\"%s\"}".formatted(kept));
		}
	}

	@Test
	void anArgumentThatIsAnArrayOrObjectInQuotesIsThatArrayOrObject() {
		String lines = "[{\"sku\":\"a\",\"price\":1}]";
		String quoted = "{\"user\":\"u\",\"lines\" : \" [{\\\"price\\\":\\\"1.0\\\",\\\"sku\\\":\\\"a\\\"}]\" }";
		assertSame(CHARGE, "{\"lines\":%s,\"user\":\"u\"}".formatted(lines), quoted);
		assertThat(CHARGE.read(quoted, Set.of()).json())
			.isEqualTo("{\"user\":\"u\",\"lines\" :  [{\"price\":\"1.0\",\"sku\":\"a\"}]}");
		for (String other : Set.of("[{\\\"sku\\\":\\\"a\\\"}] x", "[{\\\"sku\\\":\\\"a\\\"}", "{\\\"sku\\\":\\\"a\\\"}",
				"[{\\\"sku\\\":\\\"a\\\",\\\"sku\\\":\\\"a\\\"}]", "a", "", "[" + "[".repeat(70) + "]".repeat(71))) {
			String text = "{\"lines\":\"%s\"}".formatted(other);
			assertDifferent(CHARGE, "{\"lines\":[{\"sku\":\"a\"}]}", text);
			assertThat(CHARGE.read(text, Set.of()).json()).isEqualTo(text);
		}
		// Text may be meant, or the quotes are further inside.
		assertDifferent(OPEN, "{\"lines\":[1]}", "{\"lines\":\"[1]\"}");
		assertDifferent(CHARGE, "{\"note\":[1]}", "{\"note\":\"[1]\"}");
		assertDifferent(CHARGE, "{\"lines\":[{}]}", "{\"lines\":[\"{}\"]}");
	}

	@Test
	void anUndeclaredNullInsideAMapIsNotAbsent() {
		ArgumentSchema update = ArgumentSchema.of("""
				{"type":"object","additionalProperties":false,"properties":{"patch":{"type":"object"},
				"line":{"type":"object","properties":{"sku":{"type":"string"}}}}}""");
		for (ArgumentSchema schema : Set.of(update, OPEN)) {
			assertDifferent(schema, "{\"patch\":{\"phone\":null}}", "{\"patch\":{}}");
			assertSame(schema, "{\"patch\":null}", "{}");
			assertDifferent(schema, "{\"patch\":{\"a\":[{\"b\":null}]}}", "{\"patch\":{\"a\":[{}]}}");
		}
		assertSame(update, "{\"line\":{\"sku\":null}}", "{\"line\":{}}");
		assertDifferent(update, "{\"line\":{\"sku\":null,\"x\":null}}", "{\"line\":{}}");
		assertSame(OPEN, "{\"patch\":1,\"phone\":null}", "{\"patch\":1}");
	}

	@Test
	void nullIsAbsent() {
		for (ArgumentSchema schema : Set.of(CHARGE, OPEN)) {
			assertSame(schema, "{\"user\":\"u1\",\"note\":null}", "{\"user\":\"u1\"}");
			assertDifferent(schema, "{\"prices\":[1,null]}", "{\"prices\":[1]}");
			assertDifferent(schema, "{\"note\":\"null\"}", "{\"note\":null}");
			assertDifferent(schema, "{\"lines\":[{}]}", "{\"lines\":[]}");
		}
		assertSame(CHARGE, "{\"lines\":[{\"sku\":\"a\",\"price\":null}]}", "{\"lines\":[{\"sku\":\"a\"}]}");
	}

	@Test
	void whatTheToolDoesNotTakeDoesNotMakeACallDifferent() {
		assertSame(CHARGE, "{\"user\":\"u1\"}", "{\"user\":\"u1\",\"thought\":\"hm\"}");
		assertSame(CHARGE, "{\"lines\":[{\"sku\":\"a\"}]}", "{\"lines\":[{\"sku\":\"a\",\"thought\":[{}]}]}");
		assertDifferent(OPEN, "{\"user\":\"u1\"}", "{\"user\":\"u1\",\"thought\":\"hm\"}");
	}

	@Test
	void escapesAreOnlySpelling() {
		assertSame(CHARGE, "{\"user\":\"a/\u00e9\ud83d\ude00\\n\"}",
				"{\"us\\u0065r\":\"\\u0061\\/\\u00E9\\ud83d\\ude00\\u000a\"}");
		// No Unicode normalisation: a letter with an accent, and a letter and an accent.
		assertDifferent(CHARGE, "{\"user\":\"\u00e9\"}", "{\"user\":\"e\u0301\"}");
	}

	@Test
	void noTextCanPassForStructure() {
		assertDifferent(OPEN, "{\"a\":\"1\",\"b\":\"2\"}", "{\"a\":\"1\\\",\\\"b\\\":\\\"2\"}");
		assertDifferent(OPEN, "{\"a\":[\"x\",\"y\"]}", "{\"a\":[\"x\\\",\\\"y\"]}");
		assertDifferent(OPEN, "{\"a\":[\"\\\\\",\"\"]}", "{\"a\":[\"\\\\\\\",\\\"\"]}");
		assertDifferent(OPEN, "{\"a\":[]}", "{\"a\":{}}");
		assertDifferent(OPEN, "{\"a\":[[1],[2]]}", "{\"a\":[[1,2]]}");
		assertDifferent(OPEN, "{\"a\":{\"b\":1,\"c\":2}}", "{\"a\":{\"b\":1},\"c\":2}");
		assertDifferent(OPEN, "{\"a\":12e1}", "{\"a\":\"12e1\"}");
	}

	private static void assertSame(ArgumentSchema schema, String one, String other) {
		assertThat(fingerprint(schema, other)).as(other).isEqualTo(fingerprint(schema, one));
	}

	private static void assertDifferent(ArgumentSchema schema, String one, String other) {
		assertThat(fingerprint(schema, other)).as(other).isNotEqualTo(fingerprint(schema, one));
	}

	private static String fingerprint(ArgumentSchema schema, String arguments) {
		return schema.read(arguments, Set.of()).fingerprint();
	}

}
