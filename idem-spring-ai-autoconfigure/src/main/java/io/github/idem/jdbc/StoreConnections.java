package io.github.idem.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/**
 * Connections of the store's own, never the one of the caller's transaction, so that what
 * the store writes is committed whatever becomes of the caller. A connection is given
 * back the way it was found.
 * <p>
 * A thread that comes interrupted is not interrupted while it is in here: H2 closes its
 * file and pools give up when they meet such a thread. H2 does so too when a thread is
 * interrupted on the way, so its steps are done by threads that nobody interrupts.
 */
final class StoreConnections implements Steps {

	private static final Logger logger = LoggerFactory.getLogger(StoreConnections.class);

	private final DataSource dataSource;

	private final boolean autoCommit;

	private final boolean setIsolation;

	private final int statementSeconds;

	private final @Nullable UninterruptedThreads apart;

	/**
	 * Connections for one database.
	 * @param dataSource where they come from
	 * @param autoCommit whether each step is one statement; else it gets a transaction
	 * @param setIsolation whether connections come with another isolation level than READ
	 * COMMITTED
	 * @param statementSeconds how long a statement may take; 0 for as long as it likes
	 * @param apart where steps are done; {@code null} for the caller's thread
	 */
	StoreConnections(DataSource dataSource, boolean autoCommit, boolean setIsolation, int statementSeconds,
			@Nullable UninterruptedThreads apart) {
		this.dataSource = unwrap(dataSource);
		this.autoCommit = autoCommit;
		this.setIsolation = setIsolation;
		this.statementSeconds = statementSeconds;
		this.apart = apart;
	}

	/**
	 * Connections that suit a database. Their isolation level is taken to be the one that
	 * was seen at start-up, because asking costs PostgreSQL a statement each time.
	 * @param dataSource where they come from
	 * @param database what it leads to
	 * @return the connections
	 */
	static StoreConnections to(DataSource dataSource, Database database) {
		Dialect dialect = database.dialect();
		return new StoreConnections(dataSource, dialect.oneStatementPerChange(), !database.readCommitted(),
				dialect.statementSeconds(), (dialect == Dialect.H2) ? new UninterruptedThreads() : null);
	}

	/**
	 * The data source behind proxies that would hand out the connection of the caller's
	 * transaction.
	 * @param dataSource any data source
	 * @return one that is not bound to transactions
	 */
	static DataSource unwrap(DataSource dataSource) {
		DataSource own = dataSource;
		DataSource current = dataSource;
		while (current instanceof DelegatingDataSource proxy) {
			DataSource target = proxy.getTargetDataSource();
			if (target == null) {
				break;
			}
			if (proxy instanceof TransactionAwareDataSourceProxy) {
				own = target;
			}
			current = target;
		}
		return own;
	}

	/**
	 * Run one step and commit it. If the thread is interrupted on the way, the step may
	 * run a second time; every step of the store can be asked for again.
	 * @param step what to do
	 * @param <T> what it gives
	 * @return what the step gave, after the commit
	 * @throws NoConnectionException if there is no connection to be had
	 * @throws SQLException if the step failed
	 */
	@Override
	public <T extends @Nullable Object> T execute(Step<T> step) throws SQLException {
		boolean interrupted = Thread.interrupted();
		try {
			return borrowAndRun(step);
		}
		catch (SQLException ex) {
			if (!Thread.interrupted()) {
				throw ex;
			}
			interrupted = true;
			return borrowAndRun(step);
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@Override
	public int statementSeconds() {
		return this.statementSeconds;
	}

	private <T extends @Nullable Object> T borrowAndRun(Step<T> step) throws SQLException {
		UninterruptedThreads apart = this.apart;
		return (apart != null) ? apart.call(() -> borrowAndRunHere(step)) : borrowAndRunHere(step);
	}

	private <T extends @Nullable Object> T borrowAndRunHere(Step<T> step) throws SQLException {
		Connection connection = borrow();
		try {
			return (this.statementSeconds > 0) ? runBounded(connection, step) : runOn(connection, step);
		}
		finally {
			quietly(connection::close);
		}
	}

	private Connection borrow() throws NoConnectionException {
		try {
			Connection connection = this.dataSource.getConnection();
			if (connection != null) {
				return connection;
			}
		}
		catch (SQLException | RuntimeException ex) {
			throw new NoConnectionException(ex);
		}
		throw new NoConnectionException(null);
	}

	/** A server that is gone can't be told to cancel a statement, so it is given up. */
	private <T extends @Nullable Object> T runBounded(Connection connection, Step<T> step) throws SQLException {
		int before = connection.getNetworkTimeout();
		int longest = (int) TimeUnit.SECONDS.toMillis(2L * this.statementSeconds);
		if (before > 0 && before <= longest) {
			return runOn(connection, step);
		}
		connection.setNetworkTimeout(Runnable::run, longest);
		try {
			return runOn(connection, step);
		}
		finally {
			quietly(() -> connection.setNetworkTimeout(Runnable::run, before));
		}
	}

	private <T extends @Nullable Object> T runOn(Connection connection, Step<T> step) throws SQLException {
		boolean autoCommitBefore = connection.getAutoCommit();
		if (autoCommitBefore != this.autoCommit) {
			connection.setAutoCommit(this.autoCommit);
		}
		try {
			return this.setIsolation ? runReadCommitted(connection, step) : runAndCommit(connection, step);
		}
		finally {
			if (autoCommitBefore != this.autoCommit) {
				quietly(() -> connection.setAutoCommit(autoCommitBefore));
			}
		}
	}

	private <T extends @Nullable Object> T runReadCommitted(Connection connection, Step<T> step) throws SQLException {
		int isolationBefore = connection.getTransactionIsolation();
		connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
		try {
			return runAndCommit(connection, step);
		}
		finally {
			quietly(() -> connection.setTransactionIsolation(isolationBefore));
		}
	}

	private <T extends @Nullable Object> T runAndCommit(Connection connection, Step<T> step) throws SQLException {
		if (this.autoCommit) {
			return step.on(connection);
		}
		try {
			T value = step.on(connection);
			connection.commit();
			return value;
		}
		catch (SQLException | RuntimeException | Error ex) {
			quietly(connection::rollback);
			throw ex;
		}
	}

	/** What has been decided by then no longer depends on giving the connection back. */
	private static void quietly(Cleanup cleanup) {
		try {
			cleanup.run();
		}
		catch (SQLException | RuntimeException ex) {
			logger.debug("A connection could not be given back in order", ex);
		}
	}

	/**
	 * One step of the store: a single statement, or several that belong to one
	 * transaction.
	 *
	 * @param <T> what it gives
	 */
	@FunctionalInterface
	interface Step<T extends @Nullable Object> {

		T on(Connection connection) throws SQLException;

	}

	@FunctionalInterface
	private interface Cleanup {

		void run() throws SQLException;

	}

	/** There was no connection to be had; nothing was sent to the database. */
	static final class NoConnectionException extends SQLException {

		private static final long serialVersionUID = 1L;

		NoConnectionException(@Nullable Throwable cause) {
			super("No connection from the data source", cause);
		}

	}

}
