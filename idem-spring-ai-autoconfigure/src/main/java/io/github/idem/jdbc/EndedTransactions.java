package io.github.idem.jdbc;

import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Tells whether the current transaction is one only in name: while it tells others that
 * it was committed it can still be joined, but nothing will commit or roll back what is
 * done in it then. Spring does not say so, so each transaction is marked before its
 * commit, among those who are told; they are put aside with it where another one begins.
 */
final class EndedTransactions implements TransactionExecutionListener {

	private static final TransactionSynchronization MARK = new TransactionSynchronization() {
	};

	@Override
	public void beforeCommit(TransactionExecution transaction) {
		if (TransactionSynchronizationManager.isSynchronizationActive()) {
			TransactionSynchronizationManager.registerSynchronization(MARK);
		}
	}

	/** Whether the transaction of this thread, if there is one, is over. */
	static boolean includeCurrent() {
		return TransactionSynchronizationManager.isActualTransactionActive()
				&& (!TransactionSynchronizationManager.isSynchronizationActive()
						|| TransactionSynchronizationManager.getSynchronizations().contains(MARK));
	}

}
