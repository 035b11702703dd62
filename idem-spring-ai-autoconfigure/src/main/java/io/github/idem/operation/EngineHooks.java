package io.github.idem.operation;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import io.github.idem.FailureClassifier;
import io.github.idem.IdempotencyException;
import io.github.idem.Operation;
import io.github.idem.ResultClassifier;

/**
 * What the engine asks of its surroundings.
 *
 * @param failures judge attempts that ended with an exception, in this order
 * @param results judge what tools return, in this order
 * @param unattributed requests that no attempt is known to have sent
 * @param callerTransaction the transaction the caller may be in
 * @param transactional the record inside the application's transactions; throws if there
 * is none
 * @param events told of what has to be counted
 */
public record EngineHooks(List<FailureClassifier> failures, List<ResultClassifier> results,
		UnattributedRequests unattributed, CallerTransaction callerTransaction,
		Supplier<TransactionalStore> transactional, Events events) {

	public EngineHooks {
		failures = List.copyOf(failures);
		results = List.copyOf(results);
		Objects.requireNonNull(unattributed, "unattributed");
		Objects.requireNonNull(callerTransaction, "callerTransaction");
		Objects.requireNonNull(transactional, "transactional");
		Objects.requireNonNull(events, "events");
	}

	/**
	 * Of an engine that stands alone.
	 * @return hooks that do nothing
	 */
	public static EngineHooks none() {
		return new EngineHooks(List.of(), List.of(), new UnattributedRequests(), (action) -> {
		}, () -> {
			throw new IdempotencyException("This engine has no transactions to join.");
		}, (operation) -> {
		});
	}

	/** The transaction that the calling thread may be in. */
	@FunctionalInterface
	public interface CallerTransaction {

		/**
		 * Do something if the current transaction is rolled back, or its end is not
		 * known. Nothing is ever done if there is none.
		 * @param action what to do
		 */
		void afterRollback(Runnable action);

	}

	/** What has to be counted. */
	@FunctionalInterface
	public interface Events {

		/**
		 * An outcome could not be written.
		 * @param operation the operation as it was granted
		 */
		void outcomeNotRecorded(Operation operation);

	}

}
