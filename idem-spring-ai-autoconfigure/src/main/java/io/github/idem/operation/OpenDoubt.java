package io.github.idem.operation;

import java.time.Duration;
import java.util.Objects;

import io.github.idem.Downstream;
import io.github.idem.Operation;

/**
 * An operation that is in doubt, with what decides about what can be done. Ages are
 * measured on the database's clock, when it was read.
 *
 * @param operation the operation, IN_DOUBT, or FAILED and disputed
 * @param downstream what its downstream does for us, as it was when it was claimed; never
 * {@link Downstream#AUTO}
 * @param sinceFirstClaim how long ago the operation was first claimed
 * @param inDoubtFor how long ago its last attempt was put in doubt
 * @param checks how often it was checked in the background since then
 * @param resends how often it was sent again since it was first in doubt
 * @param needsPerson whether a person was asked for
 * @param sendAgainOnce whether a person allowed it to be sent again
 * @param severalRequests whether an attempt sent more than one unsafe request, so that
 * entering the tool again could repeat those that were answered
 */
public record OpenDoubt(Operation operation, Downstream downstream, Duration sinceFirstClaim, Duration inDoubtFor,
		int checks, int resends, boolean needsPerson, boolean sendAgainOnce, boolean severalRequests) {

	public OpenDoubt {
		Objects.requireNonNull(operation, "operation");
		Objects.requireNonNull(downstream, "downstream");
		Objects.requireNonNull(sinceFirstClaim, "sinceFirstClaim");
		Objects.requireNonNull(inDoubtFor, "inDoubtFor");
	}

}
