package io.github.idem.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;

import javax.sql.DataSource;

import io.github.idem.jdbc.StoreConnections.Step;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.DataSourceUtils;

/**
 * The connection of the application's transaction. A step never commits; one that fails,
 * or has to wait for others for too long, is undone by a savepoint and leaves the
 * transaction as it was.
 */
final class JoinedConnections implements Steps {

	private final DataSource dataSource;

	private final Dialect dialect;

	private final Duration lockTimeout;

	JoinedConnections(DataSource dataSource, Dialect dialect, Duration lockTimeout) {
		this.dataSource = dataSource;
		this.dialect = dialect;
		this.lockTimeout = lockTimeout;
	}

	/** As with the store's own connections, an interruption is put off. */
	@Override
	public <T extends @Nullable Object> T execute(Step<T> step) throws SQLException {
		boolean interrupted = Thread.interrupted();
		try {
			return join(step);
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/** The lock timeout bounds it; the rest is as the application has set it up. */
	@Override
	public int statementSeconds() {
		return 0;
	}

	private <T extends @Nullable Object> T join(Step<T> step) throws SQLException {
		Connection connection = DataSourceUtils.getConnection(this.dataSource);
		try {
			String before = ask(connection, this.dialect.lockTimeout());
			Savepoint savepoint = connection.setSavepoint();
			try {
				set(connection, String.valueOf(Math.max(1, this.lockTimeout.toMillis())));
				T value = step.on(connection);
				connection.releaseSavepoint(savepoint);
				return value;
			}
			catch (SQLException | RuntimeException | Error ex) {
				connection.rollback(savepoint);
				throw ex;
			}
			finally {
				set(connection, before);
			}
		}
		finally {
			DataSourceUtils.releaseConnection(connection, this.dataSource);
		}
	}

	private void set(Connection connection, String timeout) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(this.dialect.setLockTimeout())) {
			statement.setString(1, timeout);
			statement.execute();
		}
	}

	private static String ask(Connection connection, String query) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(query);
				ResultSet row = statement.executeQuery()) {
			row.next();
			return row.getString(1);
		}
	}

}
