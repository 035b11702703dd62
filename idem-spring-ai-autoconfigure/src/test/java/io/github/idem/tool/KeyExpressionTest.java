package io.github.idem.tool;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.github.idem.Duplicates;
import io.github.idem.IdempotencyException;
import io.github.idem.InvalidArgumentsException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class KeyExpressionTest {

	@Test
	void aKeyIsMadeOfArgumentsTheTaskAndTheToolContext() {
		assertThat(evaluate("#tenant + '/' + #order.id() + '/' + #taskId + '/' + #toolContext['region']",
				Map.of("tenant", "north", "order", new Order("4711"))))
			.isEqualTo("north/4711/t1/eu");
	}

	@Test
	void numbersCountByValueAndConstantsByName() {
		assertThat(evaluate("#n", Map.of("n", new BigDecimal("29.90")))).isEqualTo("29.9");
		assertThat(evaluate("#n", Map.of("n", 29.9))).isEqualTo("29.9");
		assertThat(evaluate("#n", Map.of("n", 100L))).isEqualTo("100");
		assertThat(evaluate("#n", Map.of("n", Duplicates.ALLOW))).isEqualTo("ALLOW");
		assertThat(evaluate("#n", Map.of("n", new UUID(0, 1)))).isEqualTo("00000000-0000-0000-0000-000000000001");
	}

	@Test
	void numbersCountByValueAlsoWhereTheyAreJoinedToOthers() {
		for (String expression : List.of("'eu:' + #n", "#n + ':eu'", "#n.toString()")) {
			assertThat(evaluate(expression, Map.of("n", new BigDecimal("29.90"))))
				.isEqualTo(evaluate(expression, Map.of("n", new BigDecimal("29.9"))));
			assertThat(evaluate(expression, Map.of("n", new BigDecimal("100.0"))))
				.isEqualTo(evaluate(expression, Map.of("n", 100)));
		}
	}

	@Test
	void aNumberThatWouldFillTheMemoryWrittenOutIsAShortKey() {
		assertThat(evaluate("#n", Map.of("n", new BigDecimal("1e999999999")))).hasSizeLessThan(20);
		assertThat(evaluate("#n", Map.of("n", new BigDecimal("10e999999998"))))
			.isEqualTo(evaluate("#n", Map.of("n", new BigDecimal("1e999999999"))));
	}

	@Test
	void whatAMethodOfAnArgumentThrowsIsARefusalToo() {
		assertThatExceptionOfType(InvalidArgumentsException.class)
			.isThrownBy(() -> evaluate("#id.substring(0, 8)", Map.of("id", "short")))
			.withMessageContaining("[id]");
	}

	@ParameterizedTest
	@ValueSource(strings = { "T(java.lang.Runtime).getRuntime()", "@dataSource", "new java.util.Date()",
			"#id.getClass().getName()", "#id.class.name" })
	void anExpressionNamesNoTypesBeansOrConstructors(String expression) {
		assertThatExceptionOfType(InvalidArgumentsException.class)
			.isThrownBy(() -> evaluate(expression, Map.of("id", "x")));
	}

	@Test
	void argumentsAreNeverTakenForCode() {
		String nasty = "#{T(java.lang.Runtime).getRuntime().exec('id')}";
		assertThat(evaluate("#id", Map.of("id", nasty))).isEqualTo(nasty);
	}

	@ParameterizedTest
	@ValueSource(strings = { "#missing", "#empty", "#blank", "#missing.id", "null", "''" })
	void aKeyThatComesToNothingIsRefused(String expression) {
		Map<String, @Nullable Object> arguments = new HashMap<>();
		arguments.put("missing", null);
		arguments.put("empty", "");
		arguments.put("blank", " \t");
		assertThatExceptionOfType(InvalidArgumentsException.class).isThrownBy(() -> evaluate(expression, arguments))
			.withMessageContaining("no business key")
			.withMessageContaining("'pay'");
	}

	@Test
	void somethingWhoseTextCouldDifferIsNoKey() {
		assertThatExceptionOfType(IdempotencyException.class)
			.isThrownBy(() -> evaluate("#ids", Map.of("ids", List.of("a"))))
			.withMessageContaining("not a key");
	}

	@Test
	void anExpressionThatIsNoSpelIsNamed() {
		assertThatExceptionOfType(IdempotencyException.class)
			.isThrownBy(() -> KeyExpression.parse("pay", "#orderId +", Set.of("orderId")))
			.withMessageContaining("'pay'")
			.withMessageContaining("#orderId +");
	}

	@Test
	void anArgumentTheToolDoesNotHaveIsNamedTogetherWithThoseItHas() {
		assertThatExceptionOfType(IdempotencyException.class)
			.isThrownBy(() -> KeyExpression.parse("pay", "#orderid + #taskId", Set.of("orderId", "amount")))
			.withMessageContaining("[orderid]")
			.withMessageContaining("[amount, orderId]");
		KeyExpression.parse("pay", "#anything", Set.of());
	}

	private static String evaluate(String expression, Map<String, ? extends @Nullable Object> arguments) {
		return KeyExpression.parse("pay", expression, Set.of())
			.evaluate(new HashMap<>(arguments), "t1", Map.of("region", "eu"));
	}

	record Order(String id) {
	}

}
