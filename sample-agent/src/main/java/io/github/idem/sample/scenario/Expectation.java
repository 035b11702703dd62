package io.github.idem.sample.scenario;

import java.util.ArrayList;
import java.util.List;

import io.github.idem.OperationStatus;

/**
 * How a scenario has to end.
 *
 * @param chargesWithout charges in the gateway's books without idem
 * @param chargesWith charges in the gateway's books with idem
 * @param status status of the one operation that is recorded with idem
 * @param attempt the attempt it ended with
 * @param toolResults how many tool results the model is given with idem, all the same
 * @param told what each of them says
 */
record Expectation(int chargesWithout, int chargesWith, OperationStatus status, int attempt, int toolResults,
		List<String> told) {

	Expectation {
		told = List.copyOf(told);
	}

	/**
	 * Charged so often without idem, once with it.
	 */
	static Expectation chargesWithout(int charges) {
		return new Expectation(charges, 1, OperationStatus.SUCCEEDED, 1, 0, List.of());
	}

	Expectation ends(OperationStatus status) {
		return new Expectation(this.chargesWithout, this.chargesWith, status, this.attempt, this.toolResults,
				this.told);
	}

	Expectation modelIsTold(int times, String... words) {
		return new Expectation(this.chargesWithout, this.chargesWith, this.status, this.attempt, times, List.of(words));
	}

	/**
	 * What is not as expected of a run without idem: it must fail only by charging too
	 * often, or it shows nothing.
	 */
	List<String> problemsWithout(Outcome run) {
		List<String> problems = new ArrayList<>(run.errors());
		if (run.charges().size() != this.chargesWithout) {
			problems.add("%d charges instead of %d".formatted(run.charges().size(), this.chargesWithout));
		}
		return problems;
	}

	List<String> problemsWith(Outcome run) {
		List<String> problems = new ArrayList<>(run.errors());
		if (run.charges().size() != this.chargesWith) {
			problems.add("%d charges instead of %d".formatted(run.charges().size(), this.chargesWith));
		}
		if (run.operations().size() != 1 || !run.operations().get(0).is(this.status, this.attempt)) {
			problems.add("operations %s instead of one %s, attempt %d".formatted(run.operations(), this.status,
					this.attempt));
		}
		List<String> requestIds = run.operations().stream().map(Outcome.Operation::requestId).toList();
		if (!run.charges().stream().allMatch((charge) -> requestIds.contains(charge.idempotencyKey()))) {
			problems.add("charges %s that do not carry a request id of %s".formatted(run.charges(), requestIds));
		}
		if (run.toolResults().size() != this.toolResults || run.toolResults().stream().distinct().count() != 1) {
			problems.add("the model was told %s instead of %d times the same".formatted(run.toolResults(),
					this.toolResults));
		}
		for (String word : this.told) {
			if (!run.toolResults().stream().allMatch((result) -> result.contains(word))) {
				problems.add("the model was not told \"%s\" but %s".formatted(word, run.toolResults()));
			}
		}
		return problems;
	}

}
