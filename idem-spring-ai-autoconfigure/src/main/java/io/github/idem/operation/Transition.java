package io.github.idem.operation;

import java.time.Instant;

import io.github.idem.OperationStatus;
import org.jspecify.annotations.Nullable;

/**
 * One row of an operation's audit trail.
 *
 * @param version the operation's version after the change; without gaps from 1
 * @param from the status before; {@code null} for the first claim
 * @param to the status after
 * @param attempt the attempt the change belongs to
 * @param trigger what brought the change about
 * @param actor who did: the owner token of the claim, or the name of a background job or
 * a person
 * @param evidence what it was based on, such as the tool call id of a claim or the error
 * of a failure
 * @param createdAt when, by the database's clock
 */
public record Transition(long version, @Nullable OperationStatus from, OperationStatus to, int attempt, Trigger trigger,
		String actor, @Nullable String evidence, Instant createdAt) {

	/** What can bring about a change of state. */
	public enum Trigger {

		/** A caller claimed the operation, for the first time or after a failure. */
		CLAIMED,

		/** The tool returned. */
		RETURNED,

		/** The tool failed, definitely or possibly after the effect. */
		THREW,

		/** The lease of the claim ran out. */
		LEASE_EXPIRED,

		/** Downstream was asked, and its answer was conclusive. */
		PROBED,

		/** A person decided. */
		RESOLVED,

		/** An operation in doubt was claimed again, under its request id. */
		SENT_AGAIN,

		/** Evidence contradicts what the record says. */
		DISPUTED

	}

}
