package io.github.idem.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import javax.sql.DataSource;

import io.github.idem.IdempotencyStoreException;
import io.github.idem.jdbc.StoreConnections.Step;
import org.jspecify.annotations.Nullable;

/**
 * What a data source leads to, asked once at start-up.
 *
 * @param dialect which database
 * @param readCommitted whether its connections come with that isolation level
 * @param inMemory whether it forgets everything when the process ends
 */
record Database(Dialect dialect, boolean readCommitted, boolean inMemory) {

	/**
	 * Look at a database, and have H2 write what it commits at once: by default it loses
	 * the commits of the last half second when its process is killed.
	 * @param dataSource the data source
	 * @return what it leads to
	 * @throws IdempotencyStoreException if it can't be reached or is not one we know
	 */
	static Database inspect(DataSource dataSource) {
		return ask(dataSource, (connection) -> {
			Dialect dialect = Dialect.of(connection.getMetaData().getDatabaseProductName());
			if (dialect == Dialect.H2) {
				refuseEmptyTextAsNull(connection);
				refuseOneCase(connection);
			}
			boolean readCommitted = connection.getTransactionIsolation() == Connection.TRANSACTION_READ_COMMITTED;
			boolean inMemory = dialect == Dialect.H2 && isInMemory(connection);
			if (dialect == Dialect.H2 && !inMemory) {
				writeAtOnce(connection);
			}
			return new Database(dialect, readCommitted, inMemory);
		});
	}

	static Dialect dialectOf(DataSource dataSource) {
		return ask(dataSource, (connection) -> Dialect.of(connection.getMetaData().getDatabaseProductName()));
	}

	private static <T> T ask(DataSource dataSource, Step<T> question) {
		try {
			return new StoreConnections(dataSource, true, false, 0, null).execute(question);
		}
		catch (SQLException ex) {
			throw StoreFailures.describe("look at its database", ex);
		}
	}

	private static void refuseEmptyTextAsNull(Connection connection) throws SQLException {
		if (query(connection, "SELECT 1 WHERE '' IS NULL") != null) {
			throw new IdempotencyStoreException(
					"idem can't keep its record in an H2 database that takes empty text for "
							+ "NULL. Remove MODE=Oracle from its URL, or name another data source with idem.data-source.");
		}
	}

	private static void refuseOneCase(Connection connection) throws SQLException {
		if (query(connection, "SELECT 1 WHERE CAST('a' AS CHARACTER VARYING) = 'A'") != null) {
			throw new IdempotencyStoreException("idem can't keep its record in an H2 database that takes upper and "
					+ "lower case for the same: tasks 'a' and 'A' would be one. Remove IGNORECASE=TRUE from its URL, or "
					+ "the collation that does it, or name another data source with idem.data-source.");
		}
	}

	private static boolean isInMemory(Connection connection) throws SQLException {
		String path = query(connection, "SELECT DATABASE_PATH()");
		return path == null || path.startsWith("memFS:") || path.startsWith("memLZF:") || path.startsWith("nioMemFS:")
				|| path.startsWith("nioMemLZF:");
	}

	/**
	 * Set each time: H2 keeps the setting and shows it, but goes by its default again
	 * when the database is opened the next time.
	 */
	private static void writeAtOnce(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute("SET WRITE_DELAY 0");
		}
	}

	private static @Nullable String query(Connection connection, String query) throws SQLException {
		try (Statement statement = connection.createStatement(); ResultSet row = statement.executeQuery(query)) {
			return row.next() ? row.getString(1) : null;
		}
	}

}
