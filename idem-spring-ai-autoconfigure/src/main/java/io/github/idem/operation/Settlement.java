package io.github.idem.operation;

import java.util.function.Function;

import io.github.idem.Operation;

/** What writing the outcome of an attempt came to. */
public sealed interface Settlement {

	/**
	 * Pass the settlement on; see {@link Claim#match}.
	 * @param <R> what comes of it
	 * @param recorded go by the outcome
	 * @param superseded go by the record
	 * @return what came of it
	 */
	default <R> R match(Function<Recorded, R> recorded, Function<Superseded, R> superseded) {
		return (this instanceof Recorded settlement) ? recorded.apply(settlement) : superseded.apply((Superseded) this);
	}

	/**
	 * The outcome stands in the record.
	 *
	 * @param operation the operation after the write
	 */
	record Recorded(Operation operation) implements Settlement {
	}

	/**
	 * The operation had moved on under another owner or by another decision. The record
	 * is untouched; the outcome was kept as a discrepancy.
	 *
	 * @param current the operation as it stands
	 */
	record Superseded(Operation current) implements Settlement {
	}

}
