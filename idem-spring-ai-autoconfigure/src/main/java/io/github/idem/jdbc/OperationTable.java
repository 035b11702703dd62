package io.github.idem.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import io.github.idem.identity.CallIdentity;
import io.github.idem.jdbc.StoreConnections.Step;
import io.github.idem.operation.ClaimRequest;
import io.github.idem.operation.Transition;
import io.github.idem.operation.Transition.Trigger;
import org.jspecify.annotations.Nullable;

/**
 * Where all SQL is executed. Each method is one step that is committed when it returns,
 * its audit rows included; a change that finds another state or version than the one it
 * names, or that somebody else beats, changes nothing and gives nothing. What the steps
 * add up to is for {@link JdbcOperationStore} to say.
 */
final class OperationTable {

	private final Dialect dialect;

	private final StoreConnections connections;

	private final Statements sql;

	private final String namespace;

	OperationTable(Dialect dialect, StoreConnections connections, Statements sql, String namespace) {
		this.dialect = dialect;
		this.connections = connections;
		this.sql = sql;
		this.namespace = namespace;
	}

	/**
	 * Insert an operation unless one of its three keys is taken.
	 * @param request which operation
	 * @param requestId the request id to claim it under
	 * @return the new row, or those that hold the keys; empty if they came or went in the
	 * meantime
	 */
	List<OperationRow> claim(ClaimRequest request, String requestId) {
		CallIdentity call = request.call();
		String businessKey = request.businessKey();
		SqlValues values = of(requestId).with("task_id", call.taskId())
			.with("tool_call_id", call.toolCallId())
			.with("tool", call.tool())
			.with("fingerprint", call.fingerprint())
			.with("dedup_key", StoredText.key(call.dedupKey()))
			.with("business_key", (businessKey != null) ? StoredText.key(businessKey) : null)
			.with("business_ref", businessKey)
			.with("owner", request.owner())
			.with("lease", micros(request.lease()))
			.with("arguments", request.arguments());
		audit(values, null, Trigger.CLAIMED, request.owner(), call.toolCallId());
		return attempt("claim", call.tool(), requestId, List.of(), (connection) -> {
			List<OperationRow> existing = (this.sql.existing != null) ? rows(connection, this.sql.existing, values)
					: List.of();
			return existing.isEmpty() ? change(connection, this.sql.claim, values) : existing;
		});
	}

	/**
	 * Claim a definitely failed operation for its next attempt, and take its business key
	 * again, if that is free.
	 * @param row the operation as it was read
	 * @param request who asks
	 * @return the row after the change
	 */
	Optional<OperationRow> claimAgain(OperationRow row, ClaimRequest request) {
		Operation operation = row.operation();
		String businessRef = operation.businessRef();
		SqlValues values = of(operation.requestId()).with("version", operation.version())
			.with("tool", operation.tool())
			.with("business_key", (businessRef != null) ? StoredText.key(businessRef) : null)
			.with("owner", request.owner())
			.with("lease", micros(request.lease()));
		audit(values, operation.status(), Trigger.CLAIMED, request.owner(), request.call().toolCallId());
		return changeOne("claim", operation, this.sql.claimAgain, values);
	}

	/**
	 * Write the outcome of an attempt.
	 * @param operation the operation as it was granted
	 * @param owner the token it was granted under
	 * @param from the status to find
	 * @param version the version to find
	 * @param outcome the outcome
	 * @return the row after the change
	 */
	Optional<OperationRow> settle(Operation operation, String owner, OperationStatus from, long version,
			AttemptOutcome outcome) {
		SqlValues values = of(operation.requestId()).with("version", version)
			.with("owner", owner)
			.with("to_status", outcome.status().name())
			.with("may_have_applied", outcome.status() == OperationStatus.IN_DOUBT)
			.with("result", outcome.result())
			.with("error", outcome.error());
		audit(values, from, outcome.trigger(), owner, outcome.error());
		return changeOne("settle", operation, this.sql.settle, values);
	}

	/**
	 * Put an operation whose lease has run out in doubt.
	 * @param operation the operation as it was read
	 * @return the row after the change
	 */
	Optional<OperationRow> expire(Operation operation) {
		SqlValues values = of(operation.requestId()).with("version", operation.version());
		audit(values, OperationStatus.IN_PROGRESS, Trigger.LEASE_EXPIRED, "lease-expiry", null);
		return changeOne("expire the lease of", operation, this.sql.expire, values);
	}

	List<OperationRow> expireDue(int limit) {
		SqlValues values = new SqlValues().with("namespace", this.namespace).with("limit", limit);
		audit(values, OperationStatus.IN_PROGRESS, Trigger.LEASE_EXPIRED, "lease-expiry", null);
		return attempt("put operations in doubt whose leases have run out", List.of(),
				(connection) -> change(connection, this.sql.expireDue, values));
	}

	boolean renew(Operation operation, String owner, Duration lease) {
		SqlValues values = of(operation.requestId()).with("owner", owner).with("lease", micros(lease));
		return attempt("renew the lease of", operation.tool(), operation.requestId(), 0,
				(connection) -> update(connection, this.sql.renew, values)) == 1;
	}

	/**
	 * Keep what contradicts the record, once.
	 * @param operation the operation it is about
	 * @param kind what kind of contradiction
	 * @param evidence what was seen
	 */
	void keepDiscrepancy(Operation operation, String kind, String evidence) {
		SqlValues values = of(operation.requestId())
			.with("id", StoredText.sha256(operation.requestId() + '\n' + kind + '\n' + evidence))
			.with("kind", kind)
			.with("evidence", evidence);
		attempt("keep a late result of", operation.tool(), operation.requestId(), 0,
				(connection) -> update(connection, this.sql.discrepancy, values));
	}

	Optional<OperationRow> findByRequestId(String requestId) {
		return query("read operation '" + requestId + "'", this.sql.findByRequestId, of(requestId)).stream()
			.findFirst();
	}

	Optional<OperationRow> findByDedupKey(String taskId, String tool, String dedupKey) {
		return query("look up an operation of " + named(tool), this.sql.findByDedupKey,
				new SqlValues().with("namespace", this.namespace)
					.with("task_id", taskId)
					.with("tool", tool)
					.with("dedup_key", StoredText.key(dedupKey)))
			.stream()
			.findFirst();
	}

	Optional<OperationRow> findByBusinessKey(String tool, String businessKey) {
		return query("look up an operation of " + named(tool), this.sql.findByBusinessKey,
				new SqlValues().with("namespace", this.namespace)
					.with("tool", tool)
					.with("business_key", StoredText.key(businessKey)))
			.stream()
			.findFirst();
	}

	List<OperationRow> findByToolCall(String taskId, String toolCallId) {
		return query("look up the operations of a tool call", this.sql.findByToolCall,
				new SqlValues().with("namespace", this.namespace)
					.with("task_id", taskId)
					.with("tool_call_id", toolCallId));
	}

	List<Transition> history(String requestId) {
		return attempt("read the history of operation '" + requestId + "'", List.of(), (connection) -> {
			List<Transition> history = new ArrayList<>();
			try (PreparedStatement statement = this.sql.history.prepare(connection, of(requestId));
					ResultSet rows = statement.executeQuery()) {
				while (rows.next()) {
					history.add(transition(rows));
				}
			}
			return history;
		});
	}

	private static Transition transition(ResultSet row) throws SQLException {
		String from = OperationRow.optionalText(row, "from_status");
		return new Transition(row.getLong("version"), (from != null) ? OperationStatus.valueOf(from) : null,
				OperationStatus.valueOf(OperationRow.text(row, "to_status")), row.getInt("attempt"),
				Trigger.valueOf(OperationRow.text(row, "trigger")), OperationRow.text(row, "actor"),
				OperationRow.optionalText(row, "evidence"), OperationRow.time(row, "created_at"));
	}

	private SqlValues of(String requestId) {
		return new SqlValues().with("namespace", this.namespace).with("request_id", requestId);
	}

	private static void audit(SqlValues values, @Nullable OperationStatus from, Trigger trigger, String actor,
			@Nullable String evidence) {
		values.with("from_status", (from != null) ? from.name() : null)
			.with("trigger", trigger.name())
			.with("actor", actor)
			.with("evidence", evidence);
	}

	private Optional<OperationRow> changeOne(String verb, Operation operation, Sql change, SqlValues values) {
		List<OperationRow> changed = attempt(verb, operation.tool(), operation.requestId(), List.of(),
				(connection) -> change(connection, change, values));
		return changed.stream().findFirst();
	}

	private List<OperationRow> change(Connection connection, Sql change, SqlValues values) throws SQLException {
		List<OperationRow> changed = rows(connection, change, values);
		if (this.sql.audit != null) {
			for (OperationRow row : changed) {
				update(connection, this.sql.audit, values.with("request_id", row.operation().requestId()));
			}
		}
		return changed;
	}

	private List<OperationRow> query(String attempted, Sql query, SqlValues values) {
		return attempt(attempted, List.of(), (connection) -> rows(connection, query, values));
	}

	private static List<OperationRow> rows(Connection connection, Sql query, SqlValues values) throws SQLException {
		List<OperationRow> found = new ArrayList<>(1);
		try (PreparedStatement statement = query.prepare(connection, values);
				ResultSet rows = statement.executeQuery()) {
			while (rows.next()) {
				found.add(OperationRow.read(rows));
			}
		}
		return found;
	}

	private static int update(Connection connection, Sql update, SqlValues values) throws SQLException {
		try (PreparedStatement statement = update.prepare(connection, values)) {
			return statement.executeUpdate();
		}
	}

	private <T> T attempt(String verb, String tool, String requestId, T ifBeaten, Step<T> step) {
		return attempt(verb + " operation '" + requestId + "' of " + named(tool), ifBeaten, step);
	}

	private <T> T attempt(String attempted, T ifBeaten, Step<T> step) {
		try {
			return this.connections.execute(step);
		}
		catch (SQLException ex) {
			if (this.dialect.isLostRace(ex)) {
				return ifBeaten;
			}
			throw StoreFailures.describe(attempted, ex);
		}
	}

	private static String named(String tool) {
		return "tool '" + ((tool.length() > 100) ? tool.substring(0, 100) + "…" : tool) + "'";
	}

	private static long micros(Duration duration) {
		return Math.max(1,
				Math.addExact(Math.multiplyExact(duration.getSeconds(), 1_000_000L), duration.getNano() / 1000));
	}

}
