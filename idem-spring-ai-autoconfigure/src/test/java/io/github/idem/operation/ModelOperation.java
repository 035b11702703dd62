package io.github.idem.operation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.github.idem.Downstream;
import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import io.github.idem.identity.CallIdentity;
import io.github.idem.operation.Transition.Trigger;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** One operation as the rules say it stands, written apart from the store. */
final class ModelOperation {

	final CallIdentity call;

	final String requestId;

	final @Nullable String businessKey;

	final Downstream downstream;

	OperationStatus status = OperationStatus.IN_PROGRESS;

	long version;

	int attempt = 1;

	String owner;

	boolean mayHaveApplied;

	boolean leaseOver;

	boolean holdsKey;

	boolean sendAgainOnce;

	boolean longAgo;

	@Nullable String result;

	@Nullable String error;

	final List<Change> trail = new ArrayList<>();

	final Set<String> disputedBy = new HashSet<>();

	/** The version that the latest dispute made; 0 for none. */
	long disputedAt;

	ModelOperation(ClaimRequest request, String requestId) {
		this.call = request.call();
		this.requestId = requestId;
		this.businessKey = request.businessKey();
		this.downstream = request.downstream();
		this.owner = request.owner();
		this.holdsKey = this.businessKey != null;
		changed(null, Trigger.CLAIMED);
	}

	boolean isUndisputedFailure() {
		return this.status == OperationStatus.FAILED && !this.mayHaveApplied;
	}

	boolean isOpen() {
		return this.status == OperationStatus.IN_DOUBT
				|| (this.status == OperationStatus.FAILED && this.mayHaveApplied);
	}

	boolean isGrantedTo(String owner) {
		return this.status == OperationStatus.IN_PROGRESS && !this.leaseOver && this.owner.equals(owner);
	}

	void claimAgain(String owner) {
		OperationStatus from = this.status;
		boolean sentAgain = from == OperationStatus.IN_DOUBT;
		this.status = OperationStatus.IN_PROGRESS;
		this.attempt++;
		this.owner = owner;
		this.leaseOver = false;
		this.sendAgainOnce = false;
		this.holdsKey = sentAgain ? this.holdsKey : this.businessKey != null;
		changed(from, sentAgain ? Trigger.SENT_AGAIN : Trigger.CLAIMED);
	}

	void expire() {
		this.mayHaveApplied = true;
		this.sendAgainOnce = false;
		this.error = null;
		become(OperationStatus.IN_DOUBT, Trigger.LEASE_EXPIRED);
	}

	/** What an owner reports. */
	void settle(OperationStatus outcome, boolean earlierDoubt, @Nullable String result, @Nullable String error) {
		boolean stillInDoubt = outcome == OperationStatus.IN_DOUBT
				|| (outcome == OperationStatus.FAILED && earlierDoubt);
		this.mayHaveApplied = stillInDoubt;
		this.sendAgainOnce = false;
		this.result = result;
		this.error = error;
		become(stillInDoubt ? OperationStatus.IN_DOUBT : outcome,
				(outcome == OperationStatus.SUCCEEDED) ? Trigger.RETURNED : Trigger.THREW);
		this.holdsKey &= this.status != OperationStatus.FAILED;
	}

	void resolve(Resolution resolution, boolean keyIsFree) {
		this.mayHaveApplied = resolution.status() == OperationStatus.IN_DOUBT;
		this.sendAgainOnce = this.mayHaveApplied;
		this.holdsKey = resolution.status() != OperationStatus.FAILED
				&& (this.holdsKey || (this.businessKey != null && keyIsFree));
		this.result = resolution.result();
		this.error = resolution.error();
		become(resolution.status(), resolution.trigger());
	}

	void dispute(String byOwner, boolean keyIsFree) {
		this.disputedBy.add(byOwner);
		this.sendAgainOnce = false;
		this.mayHaveApplied = true;
		this.holdsKey |= this.businessKey != null && keyIsFree;
		become(this.status, Trigger.DISPUTED);
		this.disputedAt = this.version;
	}

	void releaseKey() {
		this.holdsKey = false;
		become(this.status, Trigger.RESOLVED);
	}

	private void become(OperationStatus to, Trigger trigger) {
		OperationStatus from = this.status;
		this.status = to;
		changed(from, trigger);
	}

	private void changed(@Nullable OperationStatus from, Trigger trigger) {
		this.version++;
		this.trail.add(new Change(this.version, from, this.status, this.attempt, trigger));
	}

	void assertIs(Operation actual) {
		assertThat(actual.requestId()).isEqualTo(this.requestId);
		assertThat(new Seen(actual.status(), actual.version(), actual.attempt(), actual.mayHaveApplied(),
				actual.result(), actual.error()))
			.as("%s", this.requestId)
			.isEqualTo(new Seen(this.status, this.version, this.attempt, this.mayHaveApplied, this.result, this.error));
	}

	/** Whether an outcome is what the owner has reported already. */
	boolean saysAlready(OperationStatus outcome, @Nullable String result, @Nullable String error) {
		boolean stillInDoubt = outcome == OperationStatus.FAILED && this.status == OperationStatus.IN_DOUBT;
		return (this.status == outcome || stillInDoubt) && Objects.equals(this.result, result)
				&& Objects.equals(this.error, error);
	}

	/** A row of the audit trail. */
	record Change(long version, @Nullable OperationStatus from, OperationStatus to, int attempt, Trigger trigger) {
	}

	private record Seen(OperationStatus status, long version, int attempt, boolean mayHaveApplied,
			@Nullable String result, @Nullable String error) {
	}

}
