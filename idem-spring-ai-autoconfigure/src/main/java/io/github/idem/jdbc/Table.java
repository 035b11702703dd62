package io.github.idem.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLWarning;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import io.github.idem.jdbc.StoreConnections.Step;
import io.github.idem.operation.ClaimBlockedException;
import io.github.idem.operation.Transition.Trigger;
import org.jspecify.annotations.Nullable;

/**
 * How SQL is executed: each method of a table is one step that is committed when it
 * returns, its audit rows included; a change that finds another state or version than the
 * one it names, or that somebody else beats, changes nothing and gives nothing.
 */
abstract class Table {

	private final Dialect dialect;

	private final Steps steps;

	final Statements sql;

	final String namespace;

	Table(Dialect dialect, Steps steps, Statements sql, String namespace) {
		this.dialect = dialect;
		this.steps = steps;
		this.sql = sql;
		this.namespace = namespace;
	}

	SqlValues of(String requestId) {
		return new SqlValues().with("namespace", this.namespace).with("request_id", requestId);
	}

	static void audit(SqlValues values, @Nullable OperationStatus from, Trigger trigger, String actor,
			@Nullable String evidence) {
		values.with("from_status", (from != null) ? from.name() : null)
			.with("trigger", trigger.name())
			.with("actor", actor)
			.with("evidence", evidence);
	}

	Optional<OperationRow> changeOne(String verb, Operation operation, Sql change, SqlValues values) {
		List<OperationRow> changed = attempt(verb, operation.tool(), operation.requestId(), List.of(),
				(connection) -> change(connection, change, values));
		return changed.stream().findFirst();
	}

	List<OperationRow> change(Connection connection, Sql change, SqlValues values) throws SQLException {
		List<OperationRow> changed = rows(connection, change, values);
		if (this.sql.audit != null) {
			for (OperationRow row : changed) {
				update(connection, this.sql.audit, values.with("request_id", row.operation().requestId()));
			}
		}
		return changed;
	}

	List<OperationRow> query(String attempted, Sql query, SqlValues values) {
		return attempt(attempted, List.of(), (connection) -> rows(connection, query, values));
	}

	List<OperationRow> rows(Connection connection, Sql query, SqlValues values) throws SQLException {
		return read(connection, query, values, OperationRow::read);
	}

	int update(Connection connection, Sql update, SqlValues values) throws SQLException {
		try (PreparedStatement statement = prepare(connection, update, values)) {
			long begun = System.nanoTime();
			int changed = statement.executeUpdate();
			requireCommitted(statement, begun);
			return changed;
		}
	}

	private PreparedStatement prepare(Connection connection, Sql sql, SqlValues values) throws SQLException {
		PreparedStatement statement = sql.prepare(connection, values);
		if (this.steps.statementSeconds() > 0) {
			statement.setQueryTimeout(this.steps.statementSeconds());
		}
		return statement;
	}

	/**
	 * A commit that waits for a replica is not undone when it is cancelled: PostgreSQL
	 * warns that it may not be there yet, and goes on. What a failover can lose is not
	 * committed, for us.
	 */
	private void requireCommitted(PreparedStatement statement, long begun) throws SQLException {
		long longest = TimeUnit.SECONDS.toNanos(this.steps.statementSeconds());
		SQLWarning warning = statement.getWarnings();
		if (longest > 0 && warning != null && System.nanoTime() - begun > longest / 2) {
			throw new SQLTimeoutException("The commit may not have been replicated", StoreFailures.CANCELLED, warning);
		}
	}

	<T> T attempt(String verb, String tool, String requestId, T ifBeaten, Step<T> step) {
		return attempt(verb + " operation '" + requestId + "' of " + named(tool), ifBeaten, step);
	}

	<T> T attempt(String attempted, T ifBeaten, Step<T> step) {
		try {
			return this.steps.execute(step);
		}
		catch (SQLException ex) {
			if (this.dialect.isLostRace(ex)) {
				return ifBeaten;
			}
			if (this.dialect.isLockTimeout(ex)) {
				throw new ClaimBlockedException("idem could not " + attempted
						+ " because another transaction holds it. The same call may be made again.", ex);
			}
			throw StoreFailures.describe(attempted, ex);
		}
	}

	static String named(String tool) {
		return "tool '" + ((tool.length() > 100) ? tool.substring(0, 100) + "…" : tool) + "'";
	}

	static long micros(Duration duration) {
		return Math.max(1,
				Math.addExact(Math.multiplyExact(duration.getSeconds(), 1_000_000L), duration.getNano() / 1000));
	}

	<R> List<R> read(String attempted, Sql query, SqlValues values, RowReader<R> reader) {
		return attempt(attempted, List.of(), (connection) -> read(connection, query, values, reader));
	}

	private <R> List<R> read(Connection connection, Sql query, SqlValues values, RowReader<R> reader)
			throws SQLException {
		List<R> found = new ArrayList<>(1);
		long begun = System.nanoTime();
		try (PreparedStatement statement = prepare(connection, query, values);
				ResultSet rows = statement.executeQuery()) {
			requireCommitted(statement, begun);
			while (rows.next()) {
				found.add(reader.read(rows));
			}
		}
		return found;
	}

	/**
	 * Reads one row.
	 *
	 * @param <R> what is read
	 */
	@FunctionalInterface
	interface RowReader<R> {

		R read(ResultSet row) throws SQLException;

	}

}
