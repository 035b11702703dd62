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

	String claimAgain();

	String settle();

	String expire();

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
