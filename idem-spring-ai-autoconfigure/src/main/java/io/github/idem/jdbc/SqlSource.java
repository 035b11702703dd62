package io.github.idem.jdbc;

import org.jspecify.annotations.Nullable;

/**
 * The text of the statements for one database. {@code {columns}} stands for what an
 * {@link OperationRow} is read from.
 */
sealed interface SqlSource permits H2SqlSource, PostgreSqlSource {

	/**
	 * The rows that may answer a call, for a database whose {@link #claim()} returns new
	 * rows only.
	 * @return the query, if one is needed
	 */
	@Nullable String existing();

	String claim();

	/**
	 * A change of operations with its audit rows, where a change can bring them along.
	 * @param update the update
	 * @return a statement that gives the changed rows
	 */
	default String change(String update) {
		return update(update, "{columns}");
	}

	/**
	 * An update that changes no state.
	 * @param update the update
	 * @param columns what to give of the changed rows
	 * @return a statement that gives the changed rows
	 */
	String update(String update, String columns);

	/**
	 * A time in the future.
	 * @param micros the parameter with the distance in microseconds
	 * @return the expression
	 */
	String after(String micros);

	/**
	 * How many milliseconds ago a time was.
	 * @param column the column with the time
	 * @return the expression
	 */
	String millisSince(String column);

	/**
	 * What keeps a query to rows that nobody else has locked.
	 * @return the clause; empty where there is none for a query inside another
	 */
	String unlocked();

	/**
	 * What is in an index for a text of any length.
	 * @param text the text
	 * @return the expression
	 */
	String key(String text);

	default String claimAgain() {
		return change("""
				UPDATE idem_operation
				SET status = 'IN_PROGRESS', version = version + 1, attempt = attempt + 1, owner = :owner,
					lease_until = {after:lease}, business_key = :business_key, downstream = :downstream,
					arguments = :arguments,
					doubt_since = NULL, next_check_at = NULL, checks = 0, resends = 0, needs_person = FALSE,
					send_again_once = FALSE, several_requests = FALSE, updated_at = CURRENT_TIMESTAMP
				WHERE namespace = :namespace AND request_id = :request_id
					AND status = 'FAILED' AND version = :version AND NOT may_have_applied
					AND NOT EXISTS (
						SELECT 1 FROM idem_operation holder
						WHERE holder.namespace = :namespace AND {key:holder.tool} = {key::tool}
							AND holder.business_key = :business_key)
				""");
	}

	/**
	 * The outcome of an attempt. One that did nothing leaves the operation in doubt if an
	 * earlier one may have done something: the row tells while the claim stands; for a
	 * late owner, whose own attempt made the row doubtful, {@code :earlier} does.
	 * @return the change
	 */
	default String settle() {
		return change("""
				UPDATE idem_operation
				SET status = CASE WHEN CAST(:to_status AS VARCHAR) = 'FAILED' AND {earlier} THEN 'IN_DOUBT'
						ELSE CAST(:to_status AS VARCHAR) END,
					version = version + 1,
					may_have_applied = CASE CAST(:to_status AS VARCHAR) WHEN 'SUCCEEDED' THEN FALSE
						WHEN 'IN_DOUBT' THEN TRUE ELSE {earlier} END,
					business_key = CASE WHEN CAST(:to_status AS VARCHAR) = 'FAILED' AND NOT {earlier} THEN NULL
						ELSE business_key END,
					doubt_since = CURRENT_TIMESTAMP, checks = 0, send_again_once = FALSE,
					needs_person = (downstream = 'OPAQUE' AND (CAST(:to_status AS VARCHAR) = 'IN_DOUBT'
						OR (CAST(:to_status AS VARCHAR) = 'FAILED' AND {earlier}))),
					next_check_at = CASE WHEN downstream <> 'OPAQUE' AND (CAST(:to_status AS VARCHAR) = 'IN_DOUBT'
						OR (CAST(:to_status AS VARCHAR) = 'FAILED' AND {earlier}))
						THEN {after:grace} ELSE NULL END,
					result = :result, error = :error, updated_at = CURRENT_TIMESTAMP
				WHERE namespace = :namespace AND request_id = :request_id
					AND status = :from_status AND version = :version AND owner = :owner
				""".replace("{earlier}",
				"(CASE WHEN status = 'IN_DOUBT' THEN CAST(:earlier AS BOOLEAN) ELSE may_have_applied END)"));
	}

	default String expire() {
		return change("""
				UPDATE idem_operation
				SET status = 'IN_DOUBT', version = version + 1, may_have_applied = TRUE,
					doubt_since = CURRENT_TIMESTAMP, checks = 0, send_again_once = FALSE,
					needs_person = (downstream = 'OPAQUE'),
					next_check_at = CASE WHEN downstream = 'OPAQUE' THEN NULL ELSE CURRENT_TIMESTAMP END,
					error = NULL, updated_at = CURRENT_TIMESTAMP
				WHERE namespace = :namespace AND request_id = :request_id
					AND status = 'IN_PROGRESS' AND version = :version AND lease_until <= CURRENT_TIMESTAMP
				""");
	}

	String expireDue();

	String renew();

	String discrepancy();

	/**
	 * The audit row of a change, for a database where a change can't bring its own.
	 * @return the insert, if one is needed
	 */
	@Nullable String audit();

	String findByDedupKey();

	String findByBusinessKey();

	String findByToolCall();

	default String findByRequestId() {
		return """
				SELECT {columns} FROM idem_operation
				WHERE namespace = :namespace AND request_id = :request_id
				""";
	}

	default String history() {
		return """
				SELECT version, from_status, to_status, attempt, trigger, actor, evidence, created_at
				FROM idem_transition
				WHERE namespace = :namespace AND request_id = :request_id
				ORDER BY id
				""";
	}

}
