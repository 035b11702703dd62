package io.github.idem.sample.scenario;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;

import io.github.idem.OperationStatus;
import io.github.idem.sample.standin.PaymentLedger;
import org.junit.jupiter.api.Test;

import static io.github.idem.sample.scenario.Expectation.chargesWithout;
import static org.assertj.core.api.Assertions.assertThat;

class ExpectationTest {

	private static final Outcome.Operation SUCCEEDED = new Outcome.Operation("t:call_1", "SUCCEEDED", 1);

	private final Expectation expected = chargesWithout(2).modelIsTold(2, "ch_1");

	@Test
	void whatIsExpectedIsNoProblem() {
		assertThat(this.expected.problemsWith(
				new Outcome(charges(1), List.of(SUCCEEDED), List.of("receipt ch_1", "receipt ch_1"), List.of())))
			.isEmpty();
		assertThat(
				this.expected.problemsWithout(new Outcome(charges(2), List.of(), List.of("ch_1", "ch_2"), List.of())))
			.isEmpty();
	}

	@Test
	void aRunWithoutIdemThatDoesNotChargeTooOftenShowsNothing() {
		assertThat(this.expected.problemsWithout(new Outcome(charges(1), List.of(), List.of(), List.of())))
			.containsExactly("1 charges instead of 2");
	}

	@Test
	void aSecondChargeIsAProblem() {
		assertThat(this.expected
			.problemsWith(new Outcome(charges(2), List.of(SUCCEEDED), List.of("ch_1", "ch_1"), List.of())))
			.containsExactly("2 charges instead of 1");
	}

	@Test
	void aSecondOperationOrOneInAnotherStateOrOfAnotherAttemptIsAProblem() {
		for (List<Outcome.Operation> operations : List.of(List.of(SUCCEEDED, SUCCEEDED),
				List.of(new Outcome.Operation("t:call_1", "IN_DOUBT", 1)),
				List.of(new Outcome.Operation("t:call_1", "SUCCEEDED", 2)))) {
			assertThat(
					this.expected.problemsWith(new Outcome(charges(1), operations, List.of("ch_1", "ch_1"), List.of())))
				.hasSize(1);
		}
	}

	@Test
	void aModelThatIsToldTooLittleOrSomethingElseIsAProblem() {
		for (List<String> told : List.of(List.of("ch_1"), List.of("ch_1", "ch_1 again"), List.of("no", "no"))) {
			assertThat(this.expected.problemsWith(new Outcome(charges(1), List.of(SUCCEEDED), told, List.of())))
				.hasSize(1);
		}
	}

	@Test
	void whatTheModelIsToldIsExpectedInOrderAndTheSameWordsByteForByte() {
		Expectation twice = chargesWithout(2).modelIsTold(1, "declined").modelIsTold(2, "ch_1");

		assertThat(twice.problemsWith(told("declined", "ch_1", "ch_1"))).isEmpty();
		assertThat(twice.problemsWith(told("ch_1", "declined", "ch_1"))).isNotEmpty();
		assertThat(twice.problemsWith(told("declined", "ch_1", "ch_1 again"))).isNotEmpty();
		assertThat(twice.problemsWith(told("declined", "ch_1"))).isNotEmpty();
	}

	@Test
	void operationsAreExpectedInOrder() {
		Expectation both = chargesWithout(2).afterOneThatEnds(OperationStatus.FAILED).modelIsTold(1, "ch_1");
		Outcome.Operation failed = new Outcome.Operation("t:call_0", "FAILED", 1);

		assertThat(both.problemsWith(operations(failed, SUCCEEDED))).isEmpty();
		assertThat(both.problemsWith(operations(SUCCEEDED, failed))).hasSize(1);
		assertThat(both.problemsWith(operations(SUCCEEDED))).hasSize(1);
	}

	@Test
	void aChargeOfAnOperationThatFailedIsAProblem() {
		Expectation failed = chargesWithout(2).afterOneThatEnds(OperationStatus.FAILED).modelIsTold(1, "ch_1");
		Outcome run = operations(new Outcome.Operation("t:call_1", "FAILED", 1),
				new Outcome.Operation("t:call_2", "SUCCEEDED", 1));

		assertThat(failed.problemsWith(run)).hasSize(1).first().asString().contains("do not carry a request id");
	}

	@Test
	void aChargeThatDoesNotCarryTheRequestIdIsAProblem() {
		for (String key : new String[] { null, "t:call_2" }) {
			List<PaymentLedger.Charge> charges = List.of(new PaymentLedger.Charge("ch_1", "u1", BigDecimal.ONE, key));
			assertThat(this.expected
				.problemsWith(new Outcome(charges, List.of(SUCCEEDED), List.of("ch_1", "ch_1"), List.of()))).hasSize(1);
		}
	}

	@Test
	void anErrorThatReachesTheCallerIsAProblemEitherWay() {
		Outcome run = new Outcome(charges(1), List.of(SUCCEEDED), List.of("ch_1", "ch_1"), List.of("broken"));

		assertThat(this.expected.problemsWith(run)).containsExactly("broken");
		assertThat(this.expected.problemsWithout(run)).contains("broken");
	}

	private static Outcome told(String... results) {
		return new Outcome(charges(1), List.of(SUCCEEDED), List.of(results), List.of());
	}

	private static Outcome operations(Outcome.Operation... operations) {
		return new Outcome(charges(1), List.of(operations), List.of("ch_1"), List.of());
	}

	private static List<PaymentLedger.Charge> charges(int count) {
		return Collections.nCopies(count, new PaymentLedger.Charge("ch_1", "u1", BigDecimal.ONE, "t:call_1"));
	}

}
