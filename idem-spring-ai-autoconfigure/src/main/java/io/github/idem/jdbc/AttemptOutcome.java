package io.github.idem.jdbc;

import java.util.Objects;

import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import io.github.idem.operation.Transition.Trigger;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt came to, as its owner reports it.
 *
 * @param status the status the operation gets by it
 * @param trigger how the attempt ended
 * @param result the result, of an attempt that succeeded
 * @param error what is known of the end of one that did not
 */
record AttemptOutcome(OperationStatus status, Trigger trigger, @Nullable String result, @Nullable String error) {

	static AttemptOutcome applied(@Nullable String result) {
		return new AttemptOutcome(OperationStatus.SUCCEEDED, Trigger.RETURNED, result, null);
	}

	/**
	 * This attempt did nothing. If an earlier one may have, the operation as a whole
	 * still may have been applied: the record tells, when it is written.
	 * @param error what the attempt failed with
	 * @return the outcome
	 */
	static AttemptOutcome notApplied(String error) {
		return new AttemptOutcome(OperationStatus.FAILED, Trigger.THREW, null, error);
	}

	static AttemptOutcome unknown(String error) {
		return new AttemptOutcome(OperationStatus.IN_DOUBT, Trigger.THREW, null, error);
	}

	/** Whether an operation says so already. */
	boolean standsIn(Operation operation) {
		boolean stillInDoubt = this.status == OperationStatus.FAILED && operation.status() == OperationStatus.IN_DOUBT;
		return (operation.status() == this.status || stillInDoubt) && Objects.equals(operation.result(), this.result)
				&& Objects.equals(operation.error(), this.error);
	}

}
