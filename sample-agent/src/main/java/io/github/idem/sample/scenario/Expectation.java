package io.github.idem.sample.scenario;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

import io.github.idem.OperationStatus;

/**
 * How a scenario has to end.
 *
 * @param chargesWithout charges in the gateway's books without idem
 * @param chargesWith charges in the gateway's books with idem
 * @param operations the operations that are recorded with idem, oldest first
 * @param told what each tool result says that the model is given with idem, in order
 */
record Expectation(int chargesWithout, int chargesWith, List<End> operations, List<List<String>> told) {

	private static final End SUCCEEDED_AT_ONCE = new End(OperationStatus.SUCCEEDED, 1);

	Expectation {
		operations = List.copyOf(operations);
		told = List.copyOf(told);
	}

	/**
	 * Charged so often without idem, once with it.
	 */
	static Expectation chargesWithout(int charges) {
		return new Expectation(charges, 1, List.of(SUCCEEDED_AT_ONCE), List.of());
	}

	/** One operation fails before the one that succeeds. */
	Expectation afterOneThatEnds(OperationStatus status) {
		return new Expectation(this.chargesWithout, this.chargesWith, List.of(new End(status, 1), SUCCEEDED_AT_ONCE),
				this.told);
	}

	/** So many tool results say these words, after those that were named before. */
	Expectation modelIsTold(int times, String... words) {
		List<List<String>> all = new ArrayList<>(this.told);
		all.addAll(Collections.nCopies(times, List.of(words)));
		return new Expectation(this.chargesWithout, this.chargesWith, this.operations, all);
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
		if (!matches(run.operations())) {
			problems.add("operations %s instead of %s".formatted(run.operations(), this.operations));
		}
		List<String> requestIds = run.operations()
			.stream()
			.filter((operation) -> !operation.hasFailed())
			.map(Outcome.Operation::requestId)
			.toList();
		if (!run.charges().stream().allMatch((charge) -> requestIds.contains(charge.idempotencyKey()))) {
			problems.add("charges %s that do not carry a request id of %s".formatted(run.charges(), requestIds));
		}
		problems.addAll(problemsWithWords(run.toolResults()));
		return problems;
	}

	private boolean matches(List<Outcome.Operation> recorded) {
		return recorded.size() == this.operations.size() && IntStream.range(0, recorded.size())
			.allMatch((i) -> recorded.get(i).is(this.operations.get(i).status(), this.operations.get(i).attempt()));
	}

	/** Where the same words are expected, the same result is: byte for byte. */
	private List<String> problemsWithWords(List<String> results) {
		if (results.size() != this.told.size()
				|| results.stream().distinct().count() != this.told.stream().distinct().count()) {
			return List.of("the model was told %s instead of %s".formatted(results, this.told));
		}
		List<String> problems = new ArrayList<>();
		for (int i = 0; i < results.size(); i++) {
			for (String word : this.told.get(i)) {
				if (!results.get(i).contains(word)) {
					problems.add("the model was not told \"%s\" but %s".formatted(word, results.get(i)));
				}
			}
		}
		return problems.stream().distinct().toList();
	}

	/**
	 * How an operation has to end.
	 *
	 * @param status its status
	 * @param attempt the attempt it ended with
	 */
	record End(OperationStatus status, int attempt) {

		@Override
		public String toString() {
			return this.status + " " + this.attempt;
		}

	}

}
