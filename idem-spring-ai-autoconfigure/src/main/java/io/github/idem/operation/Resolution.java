package io.github.idem.operation;

import java.util.Objects;
import java.util.Optional;

import io.github.idem.OperationStatus;
import io.github.idem.Outcome;
import io.github.idem.operation.Transition.Trigger;
import org.jspecify.annotations.Nullable;

/**
 * What evidence or a person makes of an operation that is in doubt.
 *
 * @param status SUCCEEDED or FAILED, which settle it; IN_DOUBT allows it to be sent again
 * once
 * @param result the result, of one that succeeded
 * @param error why not, of one that failed
 * @param trigger what brought it about
 * @param actor who did: the name of the probe's tool, or a person
 * @param evidence what it is based on
 */
public record Resolution(OperationStatus status, @Nullable String result, @Nullable String error, Trigger trigger,
		String actor, @Nullable String evidence) {

	/**
	 * What a probe's answer makes of an operation.
	 * @param outcome the answer
	 * @param tool whose probe it was
	 * @return the resolution; empty if the answer is not conclusive
	 */
	public static Optional<Resolution> of(Outcome outcome, String tool) {
		if (outcome instanceof Outcome.Applied applied) {
			return Optional.of(new Resolution(OperationStatus.SUCCEEDED, applied.result(), null, Trigger.PROBED,
					"probe of " + tool, "applied"));
		}
		if (outcome instanceof Outcome.NotApplied notApplied) {
			return Optional.of(new Resolution(OperationStatus.FAILED, null, notApplied.reason(), Trigger.PROBED,
					"probe of " + tool, "not applied: " + notApplied.reason()));
		}
		return Optional.empty();
	}

	public Resolution {
		if (status != OperationStatus.SUCCEEDED && status != OperationStatus.FAILED
				&& status != OperationStatus.IN_DOUBT) {
			throw new IllegalArgumentException("a doubt does not end " + status);
		}
		Objects.requireNonNull(trigger, "trigger");
		Objects.requireNonNull(actor, "actor");
	}

}
