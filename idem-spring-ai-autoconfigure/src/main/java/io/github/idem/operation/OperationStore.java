package io.github.idem.operation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import org.jspecify.annotations.Nullable;

/**
 * The record of attempts. A unique constraint of the database decides who runs; every
 * change of state names the state and version it expects; every write after a claim is
 * fenced by the claim's owner token.
 *
 * <pre>
 *            claim                       complete
 *  (none) ──────────────▶ IN_PROGRESS ─────────────▶ SUCCEEDED
 *                          ▲  ▲  │  │                    ▲
 *     claim, attempt + 1   │  │  │  └──── fail ─▶ FAILED │
 *     FAILED, undisputed ──┘  │  │                  ▲    │ resolve,
 *                   sendAgain │  ▼ doubt, expire    │    │ or complete and fail by the
 *                           IN_DOUBT ───────────────┴────┘ late owner
 *
 * </pre>
 *
 * Each verb commits on its own connection before it returns, also inside a transaction of
 * the caller, and writes its audit rows in the same statement or transaction. Leases are
 * measured on the database's clock. Every verb throws {@code IdempotencyStoreException}
 * when the database cannot be asked; whether a write took effect is then unknown, and the
 * same call may be made again.
 * <p>
 * A store belongs to one namespace and never sees operations of another.
 */
public interface OperationStore {

	/**
	 * Ask for an attempt.
	 * <ol>
	 * <li>Insert the operation. A unique constraint on task, tool and deduplication key,
	 * and one on the business key, decide who was first.
	 * <li>If it was there already, it answers by its state; FAILED and undisputed is
	 * claimed again in place, with the next attempt number and the same request id.
	 * <li>An IN_PROGRESS row whose lease has run out is put IN_DOUBT, never granted.
	 * <li>The own owner token in a live IN_PROGRESS row is a grant.
	 * <li>If only the request id was taken, by another operation, the next request id of
	 * the call is tried.
	 * </ol>
	 * @param request which operation, and by whom
	 * @return what came of it; for each operation one grant at a time
	 */
	Claim claim(ClaimRequest request);

	/**
	 * Record that the effect was applied. Allowed while the claim stands, and for a late
	 * owner whose own attempt was put in doubt.
	 * @param grant the claim
	 * @param result the tool's result
	 * @return whether it stands in the record
	 */
	Settlement complete(Claim.Granted grant, @Nullable String result);

	/**
	 * Record that this attempt definitely did not apply the effect and never will. Frees
	 * the business key.
	 * @param grant the claim
	 * @param error what the attempt failed with, kept for those who wait
	 * @return whether it stands in the record
	 */
	Settlement fail(Claim.Granted grant, String error);

	/**
	 * Record that this attempt may have applied the effect.
	 * @param grant the claim
	 * @param error what is known of the attempt's end
	 * @return whether it stands in the record
	 */
	Settlement doubt(Claim.Granted grant, String error);

	/**
	 * Extend the lease of a claim, counted from now. Changes no version and leaves no
	 * audit row.
	 * @param grant the claim
	 * @param lease the new length
	 * @return {@code false} if the claim no longer stands
	 */
	boolean renew(Claim.Granted grant, Duration lease);

	/**
	 * Find an operation by its request id.
	 * @param requestId the request id
	 * @return the operation, if there is one
	 */
	Optional<Operation> find(String requestId);

	/**
	 * Find an operation by what makes it the same.
	 * @param taskId the task
	 * @param tool the tool's name
	 * @param dedupKey the deduplication key
	 * @return the operation, if there is one
	 */
	Optional<Operation> find(String taskId, String tool, String dedupKey);

	/**
	 * Find the operations that were first claimed under a tool call id; several if the
	 * model used one id for different calls.
	 * @param taskId the task
	 * @param toolCallId the model's id
	 * @return the operations, oldest first
	 */
	List<Operation> findByToolCall(String taskId, String toolCallId);

	/**
	 * The audit trail of an operation.
	 * @param requestId the request id
	 * @return its changes of state, oldest first; empty if there is no such operation
	 */
	List<Transition> history(String requestId);

	/**
	 * What decides about an operation that is in doubt.
	 * @param requestId the request id
	 * @return it, unless the operation is not IN_DOUBT, nor FAILED and disputed
	 */
	Optional<OpenDoubt> findDoubt(String requestId);

	/**
	 * Settle a doubt, if the operation still has the version that the evidence is about.
	 * A definite failure frees the business key; either end clears
	 * {@code mayHaveApplied}. {@link OperationStatus#IN_DOUBT} keeps the doubt and allows
	 * one more attempt.
	 * @param operation the operation as it was read, IN_DOUBT, or FAILED and disputed
	 * @param resolution what to make of it
	 * @return the operation after the change; empty if it has moved on, and nothing was
	 * changed
	 */
	Optional<Operation> resolve(Operation operation, Resolution resolution);

	/**
	 * Claim an operation that is in doubt for its next attempt, under the same request
	 * id. Whether that is harmless is for the caller to know. The doubt about the
	 * attempts before stays.
	 * @param inDoubt the operation as it was read, IN_DOUBT
	 * @param owner a token that no other claim carries
	 * @param lease how long the claim stands without being renewed
	 * @param evidence why it may be sent again
	 * @return the claim; empty if the operation has moved on
	 */
	Optional<Claim.Granted> sendAgain(Operation inDoubt, String owner, Duration lease, String evidence);

	/**
	 * Free the business key of an operation that is SUCCEEDED or COMPENSATED, if it still
	 * has this version.
	 * @param operation the operation as it was read
	 * @param actor who says so
	 * @param evidence why
	 * @return the operation after the change; empty if it has moved on
	 */
	Optional<Operation> releaseKey(Operation operation, String actor, @Nullable String evidence);

	/**
	 * Take the doubts that are due to be looked at in the background, and put them off,
	 * so that nobody else takes them meanwhile. Changes no version.
	 * @param perTool at most so many of each tool, the longest due first
	 * @param putOff for how long they are not due again
	 * @return the doubts that were taken
	 */
	List<OpenDoubt> takeDue(int perTool, Duration putOff);

	/**
	 * Keep what was done to find out, and say when to look again in the background. The
	 * latter has no effect once the operation has moved on from this version.
	 * @param operation the operation as it was read
	 * @param check what was done
	 * @param nextLook how long from now the next look is due; {@code null} for never
	 * @param needsPerson whether it waits for a person
	 */
	void keep(Operation operation, Check check, @Nullable Duration nextLook, boolean needsPerson);

	/**
	 * Keep what was done to find out, and nothing else.
	 * @param operation the operation
	 * @param check what was done
	 */
	void keep(Operation operation, Check check);

	/**
	 * What was done about an operation beside its changes of state.
	 * @param requestId the request id
	 * @return the checks, oldest first
	 */
	List<Check> checks(String requestId);

	/**
	 * The operations that wait for a person.
	 * @param limit at most so many
	 * @return the operations, the longest waiting first
	 */
	List<Operation> waitingForPerson(int limit);

	/**
	 * Record, before it is sent, that the attempt sends a second unsafe request.
	 * @param grant the claim
	 * @return {@code false} if the claim no longer stands
	 */
	boolean recordSeveralRequests(Claim.Granted grant);

	/**
	 * Record that the transaction of the caller, through which the tool may have made its
	 * effect, was rolled back after the outcome was recorded. Kept as a discrepancy.
	 * @param grant the claim
	 */
	void recordRolledBack(Claim.Granted grant);

	/**
	 * Put IN_DOUBT what is IN_PROGRESS with a lease that has run out.
	 * @param limit at most so many, the longest overdue first
	 * @return the operations this call changed
	 */
	List<Operation> expireLeases(int limit);

}
