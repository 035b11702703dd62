package io.github.idem.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import io.github.idem.identity.CallIdentity;
import io.github.idem.operation.ClaimRequest;
import io.github.idem.operation.Transition;
import io.github.idem.operation.Transition.Trigger;

/**
 * Where all SQL is executed. Each method is one step that is committed when it returns,
 * its audit rows included; a change that finds another state or version than the one it
 * names, or that somebody else beats, changes nothing and gives nothing. What the steps
 * add up to is for {@link JdbcOperationStore} to say.
 */
final class OperationTable extends Table {

	/** For so long an owner may still find out itself, before the background does. */
	private static final Duration GRACE = Duration.ofSeconds(30);

	OperationTable(Dialect dialect, Steps steps, Statements sql, String namespace) {
		super(dialect, steps, sql, namespace);
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
			.with("conversation_id", request.conversationId())
			.with("downstream", request.downstream().name())
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
			.with("downstream", request.downstream().name())
			.with("arguments", request.arguments())
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
	 * @param earlierDoubt whether an attempt before this one may have applied the effect,
	 * where the row itself can't tell
	 * @param outcome the outcome
	 * @return the row after the change
	 */
	Optional<OperationRow> settle(Operation operation, String owner, OperationStatus from, long version,
			boolean earlierDoubt, AttemptOutcome outcome) {
		SqlValues values = of(operation.requestId()).with("version", version)
			.with("owner", owner)
			.with("to_status", outcome.status().name())
			.with("result", outcome.result())
			.with("error", outcome.error())
			.with("earlier", earlierDoubt)
			.with("grace", micros(GRACE));
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
		return read("read the history of operation '" + requestId + "'", this.sql.history, of(requestId),
				OperationTable::transition);
	}

	private static Transition transition(ResultSet row) throws SQLException {
		String from = OperationRow.optionalText(row, "from_status");
		return new Transition(row.getLong("version"), (from != null) ? OperationStatus.valueOf(from) : null,
				OperationStatus.valueOf(OperationRow.text(row, "to_status")), row.getInt("attempt"),
				Trigger.valueOf(OperationRow.text(row, "trigger")), OperationRow.text(row, "actor"),
				OperationRow.optionalText(row, "evidence"), OperationRow.time(row, "created_at"));
	}

}
