package io.github.idem.jdbc;

/**
 * H2, from version 2. It has no data-modifying CTE, so a change and its audit row are two
 * statements of one transaction; and what a call finds is read before it is inserted,
 * which spares a replay the exception. The constraints decide all the same.
 */
final class H2SqlSource implements SqlSource {

	@Override
	public String existing() {
		return """
				SELECT {columns} FROM idem_operation
				WHERE namespace = :namespace AND request_id = :request_id
				UNION ALL
				SELECT {columns} FROM idem_operation
				WHERE namespace = :namespace AND task_id = :task_id AND tool = :tool AND dedup_key = :dedup_key
					AND request_id <> :request_id
				UNION ALL
				SELECT {columns} FROM idem_operation
				WHERE namespace = :namespace AND tool = :tool AND business_key = :business_key
					AND request_id <> :request_id
				UNION ALL
				SELECT {columns} FROM idem_operation
				WHERE namespace = :namespace AND conversation_id = :conversation_id AND tool = :tool
					AND fingerprint = :fingerprint AND task_id <> :task_id
					AND (status IN ('IN_DOUBT', 'IN_PROGRESS') OR (status = 'FAILED' AND may_have_applied))
				""";
	}

	@Override
	public String claim() {
		return """
				SELECT {columns} FROM FINAL TABLE (
					INSERT INTO idem_operation (namespace, request_id, task_id, conversation_id, tool_call_id, tool,
						fingerprint, dedup_key, business_key, business_ref, status, version, attempt, owner, lease_until,
						may_have_applied, downstream, arguments, created_at, updated_at)
					VALUES (:namespace, :request_id, :task_id, :conversation_id, :tool_call_id, :tool,
						:fingerprint, :dedup_key, :business_key, :business_ref, 'IN_PROGRESS', 1, 1, :owner, {after:lease},
						FALSE, :downstream, :arguments, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP))
				""";
	}

	@Override
	public String update(String update, String columns) {
		return "SELECT " + columns + " FROM FINAL TABLE (\n" + update + ")";
	}

	@Override
	public String after(String micros) {
		return "DATEADD('MICROSECOND', " + micros + ", CURRENT_TIMESTAMP)";
	}

	@Override
	public String millisSince(String column) {
		return "DATEDIFF('MILLISECOND', " + column + ", CURRENT_TIMESTAMP)";
	}

	@Override
	public String unlocked() {
		return "";
	}

	@Override
	public String key(String text) {
		return text;
	}

	@Override
	public String expireDue() {
		return """
				SELECT {columns} FROM FINAL TABLE (
					UPDATE idem_operation
					SET status = 'IN_DOUBT', version = version + 1, may_have_applied = TRUE,
						doubt_since = CURRENT_TIMESTAMP, checks = 0, send_again_once = FALSE,
						needs_person = (downstream = 'OPAQUE'),
						next_check_at = CASE WHEN downstream = 'OPAQUE' THEN NULL ELSE CURRENT_TIMESTAMP END,
						error = NULL, updated_at = CURRENT_TIMESTAMP
					WHERE namespace = :namespace AND status = 'IN_PROGRESS' AND lease_until <= CURRENT_TIMESTAMP
						AND request_id IN (
							SELECT request_id FROM idem_operation
							WHERE namespace = :namespace AND status = 'IN_PROGRESS'
								AND lease_until <= CURRENT_TIMESTAMP
							ORDER BY lease_until, request_id
							FETCH FIRST :limit ROWS ONLY))
				ORDER BY lease_until
				""";
	}

	@Override
	public String renew() {
		return """
				UPDATE idem_operation
				SET lease_until = DATEADD('MICROSECOND', :lease, CURRENT_TIMESTAMP)
				WHERE namespace = :namespace AND request_id = :request_id
					AND status = 'IN_PROGRESS' AND owner = :owner AND lease_until > CURRENT_TIMESTAMP
				""";
	}

	@Override
	public String discrepancy() {
		return """
				INSERT INTO idem_discrepancy (id, namespace, request_id, kind, state, evidence, created_at)
				VALUES (:id, :namespace, :request_id, :kind, 'OPEN', :evidence, CURRENT_TIMESTAMP)
				""";
	}

	@Override
	public String audit() {
		return """
				INSERT INTO idem_transition (namespace, request_id, version, from_status, to_status, trigger, actor,
					attempt, evidence, created_at)
				SELECT namespace, request_id, version, CAST(:from_status AS CHARACTER VARYING), status,
					CAST(:trigger AS CHARACTER VARYING), CAST(:actor AS CHARACTER VARYING), attempt,
					CAST(:evidence AS CHARACTER LARGE OBJECT), updated_at
				FROM idem_operation
				WHERE namespace = :namespace AND request_id = :request_id
				""";
	}

	@Override
	public String findByDedupKey() {
		return """
				SELECT {columns} FROM idem_operation
				WHERE namespace = :namespace AND task_id = :task_id AND tool = :tool AND dedup_key = :dedup_key
				""";
	}

	@Override
	public String findByBusinessKey() {
		return """
				SELECT {columns} FROM idem_operation
				WHERE namespace = :namespace AND tool = :tool AND business_key = :business_key
				""";
	}

	@Override
	public String findByToolCall() {
		return """
				SELECT {columns} FROM idem_operation
				WHERE namespace = :namespace AND task_id = :task_id AND tool_call_id = :tool_call_id
				ORDER BY created_at, request_id
				""";
	}

}
