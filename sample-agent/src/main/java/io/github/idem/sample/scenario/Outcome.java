package io.github.idem.sample.scenario;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.idem.OperationStatus;
import io.github.idem.sample.standin.PaymentLedger;

/**
 * How one run of a scenario ended.
 *
 * @param charges charges in the gateway's books
 * @param operations what idem recorded
 * @param toolResults the tool results that the model was given
 * @param errors what came to the agent's caller as an exception
 */
record Outcome(List<PaymentLedger.Charge> charges, List<Operation> operations, List<String> toolResults,
		List<String> errors) {

	Outcome {
		charges = List.copyOf(charges);
		operations = List.copyOf(operations);
		toolResults = List.copyOf(toolResults);
		errors = List.copyOf(errors);
	}

	/** A row of {@code idem_operation}. */
	record Operation(@JsonProperty("request_id") String requestId, String status, int attempt) {

		boolean is(OperationStatus status, int attempt) {
			return this.status.equals(status.name()) && this.attempt == attempt;
		}

		boolean hasFailed() {
			return this.status.equals(OperationStatus.FAILED.name());
		}

		@Override
		public String toString() {
			return "%s %s %d".formatted(this.requestId, this.status, this.attempt);
		}

	}

}
