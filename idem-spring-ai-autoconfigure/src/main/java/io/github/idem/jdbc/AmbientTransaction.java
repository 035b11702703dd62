package io.github.idem.jdbc;

import io.github.idem.operation.EngineHooks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction that Spring manages on the calling thread, whatever it is on. The store
 * writes outside of it; a tool may have made its effect through it.
 */
public final class AmbientTransaction implements EngineHooks.CallerTransaction {

	private static final Logger logger = LoggerFactory.getLogger(AmbientTransaction.class);

	@Override
	public void afterRollback(Runnable action) {
		if (!TransactionSynchronizationManager.isSynchronizationActive()
				|| !TransactionSynchronizationManager.isActualTransactionActive()) {
			return;
		}
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
			@Override
			public void afterCompletion(int status) {
				if (status != STATUS_COMMITTED) {
					run(action);
				}
			}
		});
	}

	private static void run(Runnable action) {
		try {
			action.run();
		}
		catch (RuntimeException ex) {
			logger.error(
					"A transaction was rolled back after a tool had succeeded in it, and that could not be recorded",
					ex);
		}
	}

}
