package io.github.idem.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;

import javax.sql.DataSource;

import io.github.idem.IdempotencyException;
import io.github.idem.IdempotencyStoreException;
import io.github.idem.operation.OperationStore;
import io.github.idem.operation.TransactionalStore;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The JDBC store inside the application's own transactions (REQUIRED), at READ COMMITTED:
 * at a higher level a claim would not see what was committed since the transaction began.
 * <p>
 * In a transaction of the caller, the record is committed or rolled back with that, and a
 * tool that fails marks it to be rolled back. One that has ended already and only tells
 * others so is not joined, but put aside for a new one.
 */
public final class JdbcTransactionalStore implements TransactionalStore {

	private final DataSource dataSource;

	private final TransactionTemplate transaction;

	private final TransactionTemplate newTransaction;

	private final OperationStore joined;

	private JdbcTransactionalStore(DataSource dataSource, TransactionTemplate transaction,
			TransactionTemplate newTransaction, OperationStore joined) {
		this.dataSource = dataSource;
		this.transaction = transaction;
		this.newTransaction = newTransaction;
		this.joined = joined;
	}

	/**
	 * Join the transactions of a manager.
	 * @param store the record
	 * @param dataSource where it is, as the manager knows it
	 * @param manager the application's transaction manager
	 * @param lockTimeout how long a claim waits for a transaction that has made the same
	 * @return the store
	 * @throws IdempotencyException if the manager's transactions are not on that data
	 * source
	 */
	public static JdbcTransactionalStore join(JdbcOperationStore store, DataSource dataSource,
			PlatformTransactionManager manager, Duration lockTimeout) {
		DataSource bound = bound(dataSource);
		TransactionTemplate transaction = new TransactionTemplate(manager);
		TransactionTemplate newTransaction = new TransactionTemplate(manager);
		newTransaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		JdbcTransactionalStore joining = new JdbcTransactionalStore(bound, transaction, newTransaction,
				store.joining(bound, lockTimeout));
		int isolation = Objects.requireNonNull(transaction.execute((status) -> joining.isolation()));
		if (isolation > TransactionDefinition.ISOLATION_READ_COMMITTED) {
			transaction.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
			newTransaction.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		}
		if (manager instanceof ConfigurableTransactionManager listened) {
			listened.addListener(new EndedTransactions());
		}
		return joining;
	}

	/** What managers that are given this data source bind their connections to. */
	private static DataSource bound(DataSource dataSource) {
		DataSource target = (dataSource instanceof TransactionAwareDataSourceProxy proxy) ? proxy.getTargetDataSource()
				: null;
		return (target != null) ? target : dataSource;
	}

	@Override
	public <T> T inOneTransaction(Function<OperationStore, T> work) {
		Work<T> inside = new Work<>(work);
		try {
			TransactionTemplate suitable = EndedTransactions.includeCurrent() ? this.newTransaction : this.transaction;
			return Objects.requireNonNull(suitable.execute(inside::run), "the work gives a value");
		}
		catch (RuntimeException ex) {
			throw inside.explain(ex);
		}
		finally {
			inside.restoreInterrupt();
		}
	}

	private void requireSameDataSource() {
		if (!TransactionSynchronizationManager.hasResource(this.dataSource)) {
			throw new IdempotencyException(
					"A TRANSACTIONAL tool needs a transaction manager on idem's own data source, but the transactions of"
							+ " this application's are on another one. Name that data source with idem.data-source, or choose"
							+ " another downstream for the tool.");
		}
	}

	private void requireReadCommitted() {
		if (isolation() > TransactionDefinition.ISOLATION_READ_COMMITTED) {
			throw new IdempotencyException(
					"A TRANSACTIONAL tool was called in a transaction above READ COMMITTED, where it can't be seen what"
							+ " others have done since it began, so the tool was not entered. Call it at READ COMMITTED.");
		}
	}

	private int isolation() {
		requireSameDataSource();
		Connection connection = DataSourceUtils.getConnection(this.dataSource);
		try {
			return connection.getTransactionIsolation();
		}
		catch (SQLException ex) {
			throw StoreFailures.describe("ask for the isolation level", ex);
		}
		finally {
			DataSourceUtils.releaseConnection(connection, this.dataSource);
		}
	}

	/** What is done inside one transaction, and how far it came. */
	private final class Work<T> {

		private final Function<OperationStore, T> work;

		private boolean begun;

		private boolean ofCaller;

		private boolean interrupted;

		private @Nullable Throwable failure;

		Work(Function<OperationStore, T> work) {
			this.work = work;
		}

		/**
		 * An interruption is put off until the transaction has ended: H2 closes its file
		 * when it meets such a thread.
		 */
		T run(TransactionStatus status) {
			this.begun = true;
			this.ofCaller = !status.isNewTransaction();
			try {
				return workOn(status);
			}
			catch (RuntimeException | Error ex) {
				this.failure = ex;
				throw ex;
			}
			finally {
				this.interrupted = Thread.interrupted();
			}
		}

		private T workOn(TransactionStatus status) {
			if (status.isRollbackOnly()) {
				throw new IdempotencyException(
						"A TRANSACTIONAL tool was called in a transaction that is marked to be rolled back, so the tool was not entered.");
			}
			requireReadCommitted();
			T value = this.work.apply(JdbcTransactionalStore.this.joined);
			if (status.isRollbackOnly()) {
				throw new RolledBackException();
			}
			return value;
		}

		/** What came out is what the work threw, unless the transaction had its say. */
		RuntimeException explain(RuntimeException thrown) {
			if (!this.begun) {
				return new IdempotencyStoreException("idem could not begin a transaction, so the tool was not entered.",
						thrown);
			}
			if (thrown == this.failure || this.ofCaller) {
				return thrown;
			}
			if (this.failure instanceof Error fatal) {
				throw fatal;
			}
			return new CommitUnknownException(thrown);
		}

		void restoreInterrupt() {
			if (this.interrupted) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
