package io.github.idem.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;

import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import io.github.idem.identity.CallIdentity;
import io.github.idem.operation.ClaimRequest;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code idem_operation} as it was read, with what only the store needs to know.
 *
 * @param operation the operation
 * @param fingerprint the fingerprint of its arguments
 * @param dedupKey its deduplication key, as it is in the constraint
 * @param businessKey its business key, as it is in the constraint; {@code null} if it
 * holds none at present
 * @param conversationId the conversation it was first called in, if that is known
 * @param owner the token of its last claim
 * @param leaseExpired whether its lease had run out when it was read, on the database's
 * clock
 */
record OperationRow(Operation operation, String fingerprint, String dedupKey, @Nullable String businessKey,
		@Nullable String conversationId, String owner, boolean leaseExpired) {

	static OperationRow read(ResultSet row) throws SQLException {
		Operation operation = new Operation(text(row, "namespace"), text(row, "request_id"), text(row, "task_id"),
				text(row, "tool_call_id"), text(row, "tool"), OperationStatus.valueOf(text(row, "status")),
				row.getLong("version"), row.getInt("attempt"), row.getBoolean("may_have_applied"),
				optionalText(row, "business_ref"), optionalText(row, "arguments"), optionalText(row, "result"),
				optionalText(row, "error"), time(row, "created_at"), time(row, "updated_at"));
		return new OperationRow(operation, text(row, "fingerprint"), text(row, "dedup_key"),
				optionalText(row, "business_key"), optionalText(row, "conversation_id"), text(row, "owner"),
				row.getBoolean("lease_expired"));
	}

	boolean is(CallIdentity call) {
		return this.operation.taskId().equals(call.taskId()) && this.operation.tool().equals(call.tool())
				&& this.dedupKey.equals(StoredText.key(call.dedupKey()));
	}

	boolean holds(String tool, @Nullable String businessKey) {
		return businessKey != null && this.operation.tool().equals(tool)
				&& StoredText.key(businessKey).equals(this.businessKey);
	}

	/**
	 * Whether this is an equal call of another task in the same conversation that is not
	 * over: asking again there means this one.
	 */
	boolean blocks(ClaimRequest request) {
		CallIdentity call = request.call();
		OperationStatus status = this.operation.status();
		boolean open = status == OperationStatus.IN_DOUBT || status == OperationStatus.IN_PROGRESS
				|| (status == OperationStatus.FAILED && this.operation.mayHaveApplied());
		return open && request.conversationId() != null && request.conversationId().equals(this.conversationId)
				&& this.fingerprint.equals(call.fingerprint()) && this.operation.tool().equals(call.tool())
				&& !this.operation.taskId().equals(call.taskId());
	}

	static String text(ResultSet row, String column) throws SQLException {
		String value = optionalText(row, column);
		if (value == null) {
			throw new SQLException("Column " + column + " is NULL");
		}
		return value;
	}

	static @Nullable String optionalText(ResultSet row, String column) throws SQLException {
		String value = row.getString(column);
		return (value != null) ? StoredText.decode(value) : null;
	}

	static Instant time(ResultSet row, String column) throws SQLException {
		return row.getObject(column, OffsetDateTime.class).toInstant();
	}

}
