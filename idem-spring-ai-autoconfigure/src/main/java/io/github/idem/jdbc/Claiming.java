package io.github.idem.jdbc;

import java.util.List;
import java.util.Optional;

import io.github.idem.IdempotencyStoreException;
import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import io.github.idem.identity.CallIdentity;
import io.github.idem.operation.Claim;
import io.github.idem.operation.ClaimRequest;
import org.jspecify.annotations.Nullable;

/**
 * Makes a claim out of what the constraints left: the new row, or those that were there
 * before. The operation itself answers first, then whoever holds its business key, then
 * an equal call of the same conversation; if only the request id was taken, the next one
 * is tried.
 */
final class Claiming {

	private static final int MAX_REQUEST_IDS = 20;

	private final OperationTable table;

	Claiming(OperationTable table) {
		this.table = table;
	}

	Claim claim(ClaimRequest request) {
		CallIdentity call = request.call();
		int collisions = 0;
		for (int round = 0; round < Rounds.MAX && collisions < MAX_REQUEST_IDS; round++) {
			String requestId = call.requestId(collisions);
			List<OperationRow> rows = this.table.claim(request, requestId);
			Optional<OperationRow> own = rows.stream().filter((row) -> row.is(call)).findFirst();
			Optional<OperationRow> keyHolder = rows.stream()
				.filter((row) -> row.holds(call.tool(), request.businessKey()))
				.findFirst();
			Optional<OperationRow> askedBefore = rows.stream().filter((row) -> row.blocks(request)).findFirst();
			Claim answer = null;
			if (own.isPresent() && !(askedBefore.isPresent() && mayBeClaimedAgain(own.get()))) {
				answer = answerByOwn(own.get(), request);
			}
			else if (keyHolder.isPresent()) {
				answer = answerByKeyHolder(keyHolder.get(), call);
			}
			else if (askedBefore.isPresent()) {
				answer = answerByState(askedBefore.get());
			}
			else if (!rows.isEmpty()) {
				collisions++;
				continue;
			}
			if (answer != null) {
				return answer;
			}
			Rounds.backOff(round);
		}
		throw new IdempotencyStoreException("idem could not claim operation '" + call.requestId(0) + "': "
				+ ((collisions < MAX_REQUEST_IDS) ? "it kept changing" : "its request ids all name other operations")
				+ ". The tool was not entered; call again.");
	}

	/**
	 * What the operation itself has to say.
	 * @param row the operation
	 * @param request who asks
	 * @return the answer; {@code null} if the operation has changed since it was read
	 */
	private @Nullable Claim answerByOwn(OperationRow row, ClaimRequest request) {
		if (mayBeClaimedAgain(row)) {
			return claimAgain(row, request);
		}
		if (row.operation().status() == OperationStatus.IN_PROGRESS && !row.leaseExpired()
				&& row.owner().equals(request.owner())) {
			return new Claim.Granted(row.operation(), row.owner());
		}
		return answerByState(row);
	}

	private static boolean mayBeClaimedAgain(OperationRow row) {
		return row.operation().status() == OperationStatus.FAILED && !row.operation().mayHaveApplied();
	}

	private @Nullable Claim claimAgain(OperationRow row, ClaimRequest request) {
		Optional<OperationRow> claimed = this.table.claimAgain(row, request);
		if (claimed.isPresent()) {
			return new Claim.Granted(claimed.get().operation(), request.owner());
		}
		String businessRef = row.operation().businessRef();
		if (businessRef == null) {
			return null;
		}
		return this.table.findByBusinessKey(row.operation().tool(), businessRef)
			.filter((holder) -> !holder.is(request.call()))
			.map((holder) -> answerByKeyHolder(holder, request.call()))
			.orElse(null);
	}

	private @Nullable Claim answerByKeyHolder(OperationRow holder, CallIdentity call) {
		return holder.fingerprint().equals(call.fingerprint()) ? answerByState(holder)
				: new Claim.Conflict(holder.operation());
	}

	/**
	 * Answer one who may not run the operation.
	 * @param row the operation
	 * @return the answer; {@code null} if the operation has changed since it was read
	 */
	private @Nullable Claim answerByState(OperationRow row) {
		Operation operation = row.operation();
		return switch (operation.status()) {
			case SUCCEEDED, COMPENSATED -> new Claim.Completed(operation);
			case COMPENSATING -> new Claim.InProgress(operation);
			case IN_DOUBT, FAILED -> new Claim.InDoubt(operation);
			case IN_PROGRESS -> row.leaseExpired()
					? this.table.expire(operation).map((expired) -> new Claim.InDoubt(expired.operation())).orElse(null)
					: new Claim.InProgress(operation);
		};
	}

}
