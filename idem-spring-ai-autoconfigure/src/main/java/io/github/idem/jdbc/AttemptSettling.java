package io.github.idem.jdbc;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import io.github.idem.IdempotencyStoreException;
import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import io.github.idem.operation.Claim;
import io.github.idem.operation.Settlement;
import io.github.idem.operation.Transition.Trigger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes the outcome of an attempt over the state it expects: the claim as it was
 * granted, or, for a late owner, the doubt its own attempt was put in. If the operation
 * has moved on, the outcome is kept as a discrepancy; one that says that the effect was
 * applied disputes a record that says it was not.
 */
final class AttemptSettling {

	private final OperationTable operations;

	private final DoubtTable doubts;

	AttemptSettling(OperationTable operations, DoubtTable doubts) {
		this.operations = operations;
		this.doubts = doubts;
	}

	Settlement settle(Claim.Granted grant, AttemptOutcome outcome) {
		Operation granted = grant.operation();
		OperationStatus from = OperationStatus.IN_PROGRESS;
		long version = granted.version();
		for (int round = 0; round < Rounds.MAX; round++) {
			Optional<OperationRow> settled = this.operations.settle(granted, grant.owner(), from, version,
					granted.mayHaveApplied() || isDisputedSince(granted, version), outcome);
			if (settled.isPresent()) {
				return new Settlement.Recorded(settled.get().operation());
			}
			OperationRow current = current(granted);
			boolean own = current.owner().equals(grant.owner());
			if (own && outcome.standsIn(current.operation())) {
				return new Settlement.Recorded(current.operation());
			}
			OperationStatus status = current.operation().status();
			if (!own || !(status == OperationStatus.IN_DOUBT || stillClaimed(granted, current.operation()))) {
				return superseded(grant, outcome);
			}
			from = status;
			version = current.operation().version();
			Rounds.backOff(round);
		}
		throw changing(granted);
	}

	/** Whether an attempt before this one has said meanwhile that it was applied. */
	private boolean isDisputedSince(Operation granted, long version) {
		return version > granted.version() + 1 && this.operations.history(granted.requestId())
			.stream()
			.anyMatch((change) -> change.trigger() == Trigger.DISPUTED && change.version() > granted.version());
	}

	/** As it was granted, but for a dispute about an earlier attempt. */
	private static boolean stillClaimed(Operation granted, Operation current) {
		boolean disputed = current.mayHaveApplied() && !granted.mayHaveApplied();
		return current.status() == OperationStatus.IN_PROGRESS && (current.version() == granted.version() || disputed);
	}

	/**
	 * Whether an attempt that is over says that the effect was applied, where the record
	 * goes by another attempt. What is in doubt by a later one is told once: its owner
	 * may still come to say that it did nothing, which then settles less.
	 */
	private boolean contradicts(Claim.Granted grant, AttemptOutcome outcome, Operation current) {
		boolean laterAttempt = grant.operation().attempt() < current.attempt();
		boolean contradicted = switch (current.status()) {
			case FAILED -> !current.mayHaveApplied();
			case IN_PROGRESS -> laterAttempt && !current.mayHaveApplied();
			case IN_DOUBT -> laterAttempt && !hasDisputed(grant);
			default -> false;
		};
		return outcome.status() == OperationStatus.SUCCEEDED && contradicted;
	}

	private boolean hasDisputed(Claim.Granted grant) {
		return this.operations.history(grant.operation().requestId())
			.stream()
			.anyMatch((change) -> change.trigger() == Trigger.DISPUTED && change.actor().equals(grant.owner()));
	}

	private Settlement superseded(Claim.Granted grant, AttemptOutcome outcome) {
		String evidence = evidence(grant, outcome);
		for (int round = 0; round < Rounds.MAX; round++) {
			Operation current = current(grant.operation()).operation();
			this.operations.keepDiscrepancy(current, "LATE_RESULT", evidence);
			if (!contradicts(grant, outcome, current)) {
				return new Settlement.Superseded(current);
			}
			this.operations.keepDiscrepancy(current, "EFFECT_WITHOUT_SUCCESS", evidence);
			Optional<OperationRow> disputed = this.doubts.dispute(current, grant.owner(), evidence);
			if (disputed.isPresent()) {
				return new Settlement.Superseded(disputed.get().operation());
			}
			Rounds.backOff(round);
		}
		throw changing(grant.operation());
	}

	private static String evidence(Claim.Granted grant, AttemptOutcome outcome) {
		Map<String, @Nullable Object> evidence = new LinkedHashMap<>();
		evidence.put("outcome", outcome.status().name());
		evidence.put("attempt", grant.operation().attempt());
		evidence.put("owner", grant.owner());
		evidence.put("result", outcome.result());
		evidence.put("error", outcome.error());
		return JsonMapper.shared().writeValueAsString(evidence);
	}

	private OperationRow current(Operation granted) {
		return this.operations.findByRequestId(granted.requestId())
			.orElseThrow(() -> new IdempotencyStoreException("Operation '" + granted.requestId() + "' of tool '"
					+ granted.tool() + "' is no longer in the record, so its outcome could not be written. "
					+ "Do not delete operations that are in progress."));
	}

	private static IdempotencyStoreException changing(Operation granted) {
		return new IdempotencyStoreException("idem could not settle operation '" + granted.requestId() + "' of tool '"
				+ granted.tool() + "': it kept changing. The same call may be made again.");
	}

}
