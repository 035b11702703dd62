package io.github.idem.identity;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;

import io.github.idem.InvalidArgumentsException;
import org.assertj.core.api.AbstractStringAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeout;

/** What is refused, what the model is told, and what reaches the tool. */
class StrictArgumentsTest {

	private static final ArgumentSchema PAY = ArgumentSchema.of("""
			{"type":"object","properties":{"user":{"type":"string"},"amount":{"type":"number"},
			"note":{"type":"string"}},"required":["user","amount"],"additionalProperties":false}""");

	private static final ArgumentSchema OPEN = ArgumentSchema.of(null);

	@Test
	void twoObjectsGluedTogetherAreRefused() {
		assertRefused("{\"a\":1}{\"a\":2}").contains("more after the JSON object").contains("character 7");
		assertRefused("{\"a\":1} trailing").contains("more after the JSON object");
		assertRefused("{\"a\":1}]").contains("more after the JSON object");
		assertRefused("{\"a\":1},").contains("more after the JSON object");
		assertRefused("{\"a\":1}\u0000").contains("more after the JSON object");
		assertRefused("{\"a\":1}/* */").contains("more after the JSON object");
	}

	@Test
	void anUnescapedLineBreakInTextIsRefused() {
		assertRefused("{\"note\":\"one\ntwo\"}").contains("control character").contains("\\n");
	}

	@Test
	void aTruncatedObjectIsRefused() {
		String whole = "{\"user\":\"u\\u0031\",\"amount\":[1.5e3,true,null],\"x\":{}}";
		for (int end = 1; end < whole.length(); end++) {
			assertRefused(whole.substring(0, end)).contains("JSON object");
		}
	}

	@Test
	void aWholeObjectSentAsTextIsRefused() {
		assertRefused("\"{\\\"amount\\\":1}\"").contains("JSON string").contains("object itself");
	}

	@ParameterizedTest
	@ValueSource(strings = { "null", "true", "1", "[]", "[{\"a\":1}]" })
	void whatIsNoObjectIsRefused(String arguments) {
		assertRefused(arguments).contains("not a JSON object");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{a:1}", "{'a':1}", "{\"a\":1,}", "{\"a\":01}", "{\"a\":+1}", "{\"a\":.5}", "{\"a\":1.}",
			"{\"a\":NaN}", "{\"a\":Infinity}", "{\"a\":0x10}", "{\"a\":1 \"b\":2}", "{\"a\"}", "{\"a\":}",
			"{\"a\":tru}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12g4\"}", "{// hm\n\"a\":1}", "```json\n{\"a\":1}\n```",
			"\ufeff{\"a\":1}", "{\"a\":[1,]}", "{\"a\":[1}", "{\"a\":1]", "{,}" })
	void whatIsNotJsonIsRefused(String arguments) {
		assertRefused(arguments).contains("JSON object");
	}

	@Test
	void aMemberNamedTwiceIsRefusedHoweverItIsWrittenAndWhereverItIs() {
		assertRefused("{\"user\":\"a\",\"user\":\"a\"}").contains("named twice");
		assertRefused("{\"user\":1,\"x\":2,\"\\u0075ser\":3}").contains("named twice");
		assertRefused("{\"x\":{\"b\":1,\"a\":2,\"b\":1}}").contains("named twice");
		assertRefused("{\"x\":[{\"b\":null,\"b\":1}]}").contains("named twice");
		// Also where neither would count.
		assertRefused("{\"note\":null,\"note\":null}").contains("named twice");
		assertRefused("{\"request_id\":1,\"a\":1,\"request_id\":2}").contains("named twice");
		assertThatRefused(PAY, "{\"thought\":1,\"thought\":2}").contains("named twice").doesNotContain("thought");
		assertThatRefused(PAY, "{\"note\":\"a\",\"note\":\"b\"}").contains("(note)");
		assertThat(OPEN.read("{\"a\":{\"a\":{\"a\":1}},\"b\":[{\"a\":1},{\"a\":1}]}", Set.of()).json()).isNotBlank();
	}

	@Test
	void halfACharacterIsRefusedRawOrEscapedInTextAndInNames() {
		for (String half : List.of("\ud83d", "\ude00", "\\ud83d", "\\ude00", "\\ud83d\\ud83d", "\\ude00\\ud83d",
				"\ud83dx", "\\ud83d\\n")) {
			assertRefused("{\"a\":\"" + half + "\"}").contains("surrogate");
			assertRefused("{\"a\":{\"x" + half + "\":1}}").contains("surrogate");
			assertThatRefused(PAY, "{\"thought\":[\"" + half + "\"]}").contains("surrogate");
		}
		assertThat(OPEN.read("{\"a\":\"\ud83d" + "\\ude00\"}", Set.of()).fingerprint())
			.isEqualTo(OPEN.read("{\"a\":\"\\ud83d\ude00\"}", Set.of()).fingerprint());
	}

	@Test
	void nestingIsBoundedForAMegabyteOfBracketsToo() {
		assertThat(OPEN.read(nested(63), Set.of()).json()).isEqualTo(nested(63));
		assertRefused(nested(64)).contains("64 levels");
		assertRefused("{\"a\":".repeat(64) + "{}" + "}".repeat(64)).contains("64 levels");
		assertThat(OPEN.read("{\"a\":".repeat(63) + "{}" + "}".repeat(63), Set.of()).json()).isNotBlank();
		assertRefused("[".repeat(1_000_000)).contains("not a JSON object");
		assertRefused("{\"a\":" + "[".repeat(1_000_000)).contains("64 levels");
		assertRefused("{\"a\":".repeat(200_000)).contains("64 levels");
	}

	@Test
	void aNumberMayHaveAThousandCharactersAndAnyExponent() {
		String digits = "1".repeat(1000);
		assertThat(OPEN.read("{\"a\":" + digits + "}", Set.of()).json()).contains(digits);
		assertRefused("{\"a\":" + digits + "1}").contains("too long").contains("1000");
		assertTimeout(Duration.ofSeconds(30), () -> {
			assertThat(fingerprint("{\"a\":1e999999999}")).isEqualTo(fingerprint("{\"a\":10e999999998}"));
			assertThat(fingerprint("{\"a\":1e" + "9".repeat(500) + "}"))
				.isEqualTo(fingerprint("{\"a\":0.1e1" + "0".repeat(500) + "}"))
				.isNotEqualTo(fingerprint("{\"a\":1e" + "9".repeat(501) + "}"));
		});
	}

	@Test
	void noMessageSaysWhatTheArgumentsSay() {
		for (String secret : List.of("{\"card\":4111111111111111x}", "{\"card\":hunter2}", "{\"card\":\"hunter2\nx\"}",
				"{\"card\":\"hunter2\"", "\"hunter2\"", "{\"card\":\"hunter2\",\"card\":1}",
				"{\"card\":\"hunter2\\ud800\"}", "{\"hunter2\":1,\"hunter2\":1}", "{\"card\":1}hunter2", "hunter2")) {
			assertThatExceptionOfType(InvalidArgumentsException.class).isThrownBy(() -> PAY.read(secret, Set.of()))
				.withNoCause()
				.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("hunter2", "4111"));
		}
		assertThat(PAY.read("{\"user\":\"hunter2\",\"amount\":1}", Set.of()).toString()).doesNotContain("hunter2");
	}

	@Test
	void nothingAtAllIsTheEmptyObject() {
		String empty = fingerprint("{}");
		for (String nothing : List.of("", " ", "\t\r\n", " { } ")) {
			assertThat(fingerprint(nothing)).isEqualTo(empty);
		}
		assertThat(OPEN.read(null, Set.of()).fingerprint()).isEqualTo(empty);
		assertThat(OPEN.read(null, Set.of()).json()).isEqualTo("{}");
		assertThat(OPEN.read(" ", Set.of()).json()).isEqualTo("{}");
		assertThat(OPEN.read("{\"a\":null}", Set.of()).fingerprint()).isEqualTo(empty);
	}

	@Test
	void theToolGetsTheModelsOwnText() {
		String text = " {\"z\" : 12345678901234567.8900 ,\n\"a\":\"\\u0061\\/\",\"n\":null, \"e\":1E+2}\t";
		assertThat(OPEN.read(text, Set.of("z")).json()).isSameAs(text);
		assertThat(PAY.read(text, Set.of()).json()).isSameAs(text);
	}

	@Test
	void whatIsLeftAfterCuttingAReservedMemberIsTheModelsOwnText() {
		String text = " {\"task_id\":{\"x\":[1]}, \"z\" : 12345678901234567.8900 ,\n\"request_id\":\"r\",\"a\":\"\\u0061\\/\"  "
				+ ",\"b\":{\"request_id\":1},\"c\":[ 1E+2 ] , \"tool\\u005fcall_id\":1.0}\t";
		assertThat(OPEN.read(text, Set.of()).json())
			.isEqualTo("{\"z\" : 12345678901234567.8900,\"a\":\"\\u0061\\/\",\"b\":{\"request_id\":1},\"c\":[ 1E+2 ]}");
		assertThat(OPEN.read("{\"request_id\":1}", Set.of()).json()).isEqualTo("{}");
		assertThat(OPEN.read("{\"a\":true,\"task_id\":null,\"b\":-0}", Set.of()).json())
			.isEqualTo("{\"a\":true,\"b\":-0}");
		assertThat(OPEN
			.read("{\"x\":[],\"task_id\":\"" + "t".repeat(70_000) + "\",\"b\":\"" + "b".repeat(70_000) + "\"}",
					Set.of())
			.json()).isEqualTo("{\"x\":[],\"b\":\"" + "b".repeat(70_000) + "\"}");
	}

	@Test
	void anArgumentTheToolItselfDeclaresIsNotReserved() {
		ArgumentSchema lookup = ArgumentSchema
			.of("{\"type\":\"object\",\"properties\":{\"request_id\":{\"type\":\"string\"}},\"additionalProperties\":false}");
		Arguments one = lookup.read("{\"request_id\":\"r1\",\"task_id\":\"t\"}", Set.of());
		assertThat(one.json()).isEqualTo("{\"request_id\":\"r1\"}");
		assertThat(one.fingerprint()).isNotEqualTo(lookup.read("{\"request_id\":\"r2\"}", Set.of()).fingerprint());
	}

	@Test
	void requiredArgumentsThatAreMissingOrNullAreNamed() {
		assertThat(PAY.read("", Set.of()).missing()).containsExactly("user", "amount");
		assertThat(PAY.read("{\"user\":null,\"amount\":1}", Set.of()).missing()).containsExactly("user");
		assertThat(PAY.read("{\"amount\":1,\"user\":\"\"}", Set.of("user")).missing()).isEmpty();
		assertThat(OPEN.read("{}", Set.of()).missing()).isEmpty();
	}

	@Test
	void aMegabyteOfArgumentsIsNoTrouble() {
		StringBuilder text = new StringBuilder("{\"user\":\"").append("\u00fc".repeat(300_000))
			.append("\",\"lines\":[");
		for (int i = 0; text.length() < 1_000_000; i++) {
			text.append((i > 0) ? "," : "")
				.append("{\"sku\":\"s")
				.append(i)
				.append("\",\"price\":")
				.append(i)
				.append(".50}");
		}
		String arguments = text.append("]}").toString();
		List<String> members = new ArrayList<>();
		for (int i = 0; i < 90_000; i++) {
			members.add("\"" + i + "\":1");
		}
		Collections.shuffle(members, new Random(1));
		String manyMembers = "{" + String.join(",", members) + "}";
		String oneTwice = "{" + String.join(",", members) + "," + members.get(0) + "}";
		// Generous, for a busy machine: what grows with the square takes minutes.
		assertTimeout(Duration.ofSeconds(30), () -> {
			assertThat(OPEN.read(arguments, Set.of()).json()).isSameAs(arguments);
			assertThat(OPEN.read(manyMembers, Set.of()).json()).isSameAs(manyMembers);
			assertRefused(oneTwice).contains("named twice");
		});
	}

	private static String nested(int arrays) {
		return "{\"a\":" + "[".repeat(arrays) + "]".repeat(arrays) + "}";
	}

	private static String fingerprint(String arguments) {
		return OPEN.read(arguments, Set.of()).fingerprint();
	}

	private static AbstractStringAssert<?> assertRefused(String arguments) {
		return assertThatRefused(OPEN, arguments);
	}

	private static AbstractStringAssert<?> assertThatRefused(ArgumentSchema schema, String text) {
		return assertThat(
				assertThatExceptionOfType(InvalidArgumentsException.class).isThrownBy(() -> schema.read(text, Set.of()))
					.actual()
					.getMessage());
	}

}
