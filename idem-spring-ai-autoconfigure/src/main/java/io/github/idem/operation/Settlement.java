package io.github.idem.operation;

import io.github.idem.Operation;

/** What writing the outcome of an attempt came to. */
public sealed interface Settlement {

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
