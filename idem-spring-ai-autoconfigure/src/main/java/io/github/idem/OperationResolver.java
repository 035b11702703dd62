package io.github.idem;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Where a person settles what evidence can't. A bean that idem provides.
 */
public interface OperationResolver {

	/**
	 * The operations that wait for a person: in doubt with nothing left to ask, or failed
	 * and disputed by later evidence.
	 * @param limit at most so many
	 * @return the operations, the longest waiting first
	 */
	List<Operation> waiting(int limit);

	/**
	 * Record a decision. Made against the version the person has seen: if the operation
	 * has moved on, nothing is changed. The same decision made twice is one.
	 * @param requestId the operation
	 * @param expectedVersion the version of the operation that the decision is about
	 * @param decision the decision
	 * @param actor who decides, for the audit trail; not blank
	 * @param note why, for the audit trail; may be {@code null}
	 * @return the operation after the decision
	 * @throws ResolutionRefusedException if there is no such operation, it has another
	 * version by now, or is in a state in which this decision makes no sense; nothing was
	 * changed
	 * @throws IdempotencyStoreException if the database could not be asked; the same
	 * decision may be made again
	 */
	Operation resolve(String requestId, long expectedVersion, Decision decision, String actor, @Nullable String note);

}
