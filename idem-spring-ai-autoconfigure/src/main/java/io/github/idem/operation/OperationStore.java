package io.github.idem.operation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.github.idem.Operation;
import org.jspecify.annotations.Nullable;

/**
 * The record of attempts. A unique constraint of the database decides who runs; every
 * change of state names the state and version it expects; every write after a claim is
 * fenced by the claim's owner token.
 *
 * <pre>
 *            claim                       complete
 *  (none) ──────────────▶ IN_PROGRESS ─────────────▶ SUCCEEDED
 *                          ▲   │    │                    ▲
 *     claim, attempt + 1   │   │    └──── fail ─▶ FAILED  │ complete, by the late owner
 *     FAILED, undisputed ──┘   │                    ▲    │
 *                              ▼ doubt, expireLeases │    │
 *                           IN_DOUBT ───────────────┴────┘
 *                                   fail, by the late owner
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
	 * Put IN_DOUBT what is IN_PROGRESS with a lease that has run out.
	 * @param limit at most so many, the longest overdue first
	 * @return the operations this call changed
	 */
	List<Operation> expireLeases(int limit);

}
