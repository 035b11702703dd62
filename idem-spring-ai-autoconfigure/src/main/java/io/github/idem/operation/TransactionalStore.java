package io.github.idem.operation;

import java.util.function.Function;

/**
 * The record inside a transaction of the application, for effects that are made in the
 * same database: claim, effect and completion commit or roll back together.
 */
public interface TransactionalStore {

	/**
	 * Do something in the application's transaction: the current one, or one of its own.
	 * @param work what to do with the record; whatever it throws rolls the transaction
	 * back and is thrown on
	 * @param <T> what it gives
	 * @return what it gave, after the commit, or, in a transaction of the caller, before
	 * @throws RolledBackException if somebody marked the transaction meanwhile, so that
	 * it can't be committed, whatever the work gave
	 * @throws CommitUnknownException if the commit failed, or the rollback: it may have
	 * been committed or not, or still be under way. Never in a transaction of the caller
	 * @throws io.github.idem.IdempotencyException if there can be no such transaction;
	 * nothing was done
	 */
	<T> T inOneTransaction(Function<OperationStore, T> work);

	/** The transaction is rolled back, though the work has not failed. */
	final class RolledBackException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		/** Somebody marked it. */
		public RolledBackException() {
			super("The transaction was marked to be rolled back");
		}

	}

	/** A commit was not acknowledged. */
	final class CommitUnknownException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		/**
		 * Wrap what the commit failed with.
		 * @param cause what it failed with
		 */
		public CommitUnknownException(Throwable cause) {
			super("The commit was not acknowledged", cause);
		}

	}

}
