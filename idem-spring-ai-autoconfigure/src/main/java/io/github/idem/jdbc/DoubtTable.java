package io.github.idem.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import io.github.idem.Downstream;
import io.github.idem.Operation;
import io.github.idem.operation.Check;
import io.github.idem.operation.OpenDoubt;
import io.github.idem.operation.Resolution;
import io.github.idem.operation.Transition.Trigger;
import org.jspecify.annotations.Nullable;

/** What is in doubt, and what is done about it. */
final class DoubtTable extends Table {

	DoubtTable(Dialect dialect, Steps steps, Statements sql, String namespace) {
		super(dialect, steps, sql, namespace);
	}

	Optional<OpenDoubt> find(String requestId) {
		return read("read operation '" + requestId + "'", this.sql.findDoubt, of(requestId), DoubtTable::doubt).stream()
			.findFirst();
	}

	Optional<OperationRow> resolve(Operation operation, Resolution resolution) {
		SqlValues values = version(operation).with("to_status", resolution.status().name())
			.with("result", resolution.result())
			.with("error", resolution.error());
		audit(values, operation.status(), resolution.trigger(), resolution.actor(), resolution.evidence());
		return changeOne("resolve", operation, this.sql.resolve, values);
	}

	Optional<OperationRow> sendAgain(Operation inDoubt, String owner, Duration lease, String evidence) {
		SqlValues values = version(inDoubt).with("owner", owner).with("lease", micros(lease));
		audit(values, inDoubt.status(), Trigger.SENT_AGAIN, owner, evidence);
		return changeOne("claim again", inDoubt, this.sql.sendAgain, values);
	}

	Optional<OperationRow> releaseKey(Operation operation, String actor, @Nullable String evidence) {
		SqlValues values = version(operation);
		audit(values, operation.status(), Trigger.RESOLVED, actor, evidence);
		return changeOne("release the key of", operation, this.sql.releaseKey, values);
	}

	/**
	 * Note that an operation may have been applied after all, by an attempt that is over.
	 * @param operation the operation as it was read
	 * @param owner the token of that attempt
	 * @param evidence what says so
	 * @return the row after the change
	 */
	Optional<OperationRow> dispute(Operation operation, String owner, String evidence) {
		SqlValues values = version(operation);
		audit(values, operation.status(), Trigger.DISPUTED, owner, evidence);
		return changeOne("dispute", operation, this.sql.dispute, values);
	}

	List<OpenDoubt> takeDue(int perTool, Duration putOff) {
		return read("take what is due", this.sql.takeDue,
				new SqlValues().with("namespace", this.namespace)
					.with("limit", perTool)
					.with("put_off", micros(putOff)),
				DoubtTable::doubt);
	}

	void keep(Operation operation, Check check) {
		SqlValues values = of(operation.requestId()).with("attempt", operation.attempt())
			.with("kind", check.kind().name())
			.with("waited_ms", check.waited().toMillis())
			.with("reason", check.reason())
			.with("outcome", check.outcome());
		attempt("keep a check of", operation.tool(), operation.requestId(), 0,
				(connection) -> update(connection, this.sql.keepCheck, values));
	}

	void putOff(Operation operation, @Nullable Duration nextLook, boolean needsPerson) {
		SqlValues values = version(operation).with("needs_person", needsPerson)
			.with("never", nextLook == null)
			.with("next_look", (nextLook != null) ? micros(nextLook) : 0L);
		attempt("put off", operation.tool(), operation.requestId(), 0,
				(connection) -> update(connection, this.sql.putOff, values));
	}

	List<Check> checks(String requestId) {
		return read("read the checks of operation '" + requestId + "'", this.sql.checks, of(requestId),
				(row) -> new Check(Check.Kind.valueOf(OperationRow.text(row, "kind")),
						Duration.ofMillis(row.getLong("waited_ms")), OperationRow.text(row, "reason"),
						OperationRow.optionalText(row, "outcome")));
	}

	List<OperationRow> waitingForPerson(int limit) {
		return query("look up what waits for a person", this.sql.waitingForPerson,
				new SqlValues().with("namespace", this.namespace).with("limit", limit));
	}

	boolean recordSeveralRequests(Operation operation, String owner) {
		return attempt("record a further request of", operation.tool(), operation.requestId(), 0,
				(connection) -> update(connection, this.sql.severalRequests,
						of(operation.requestId()).with("owner", owner))) == 1;
	}

	private SqlValues version(Operation operation) {
		String businessRef = operation.businessRef();
		return of(operation.requestId()).with("version", operation.version())
			.with("tool", operation.tool())
			.with("business_key", (businessRef != null) ? StoredText.key(businessRef) : null);
	}

	private static OpenDoubt doubt(ResultSet row) throws SQLException {
		return new OpenDoubt(OperationRow.read(row).operation(),
				Downstream.valueOf(OperationRow.text(row, "downstream")), millis(row, "since_first_claim"),
				millis(row, "in_doubt_for"), row.getInt("checks"), row.getInt("resends"),
				row.getBoolean("needs_person"), row.getBoolean("send_again_once"), row.getBoolean("several_requests"));
	}

	private static Duration millis(ResultSet row, String column) throws SQLException {
		return Duration.ofMillis(Math.max(0, row.getLong(column)));
	}

}
