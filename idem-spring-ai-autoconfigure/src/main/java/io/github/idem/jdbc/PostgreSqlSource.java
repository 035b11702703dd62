package io.github.idem.jdbc;

import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL, from version 12. Each change is one statement that brings its audit row
 * along, so that with autocommit it costs one round trip and one commit; a claim that
 * finds the operation there writes nothing and takes no transaction id.
 */
final class PostgreSqlSource implements SqlSource {

	private static final String AUDIT = """
			audited AS (
				INSERT INTO idem_transition (namespace, request_id, version, from_status, to_status, trigger, actor,
					attempt, evidence, created_at)
				SELECT namespace, request_id, version, CAST(:from_status AS text), status, :trigger, :actor,
					attempt, :evidence, updated_at
				FROM changed
			)
			""";

	@Override
	public @Nullable String existing() {
		return null;
	}

	@Override
	public String claim() {
		return """
				WITH asked_before AS (
					SELECT * FROM idem_operation
					WHERE CAST(:conversation_id AS text) IS NOT NULL AND namespace = :namespace
						AND idem_key(conversation_id) = idem_key(:conversation_id) AND conversation_id = :conversation_id
						AND fingerprint = :fingerprint AND tool = :tool AND task_id <> :task_id
						AND (status IN ('IN_DOUBT', 'IN_PROGRESS') OR (status = 'FAILED' AND may_have_applied))
					LIMIT 1
				),
				changed AS (
					INSERT INTO idem_operation (namespace, request_id, task_id, conversation_id, tool_call_id, tool,
						fingerprint, dedup_key, business_key, business_ref, status, version, attempt, owner, lease_until,
						may_have_applied, downstream, arguments, created_at, updated_at)
					SELECT :namespace, :request_id, :task_id, :conversation_id, :tool_call_id, :tool,
						:fingerprint, :dedup_key, :business_key, :business_ref, 'IN_PROGRESS', 1, 1, :owner, {after:lease},
						false, :downstream, :arguments, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP
					WHERE NOT EXISTS (SELECT 1 FROM asked_before)
					ON CONFLICT DO NOTHING
					RETURNING *
				),"""
				+ AUDIT + """
						SELECT {columns} FROM changed
						UNION ALL
						SELECT {columns} FROM idem_operation
						WHERE NOT EXISTS (SELECT 1 FROM changed) AND namespace = :namespace
							AND (request_id = :request_id
								OR (idem_key(task_id) = idem_key(:task_id) AND idem_key(tool) = idem_key(:tool)
									AND dedup_key = :dedup_key)
								OR (idem_key(tool) = idem_key(:tool) AND business_key = :business_key))
						UNION ALL
						SELECT {columns} FROM asked_before
						""";
	}

	@Override
	public String change(String update) {
		return "WITH changed AS (\n" + update + "RETURNING *),\n" + AUDIT + "SELECT {columns} FROM changed";
	}

	@Override
	public String update(String update, String columns) {
		return "WITH changed AS (\n" + update + "RETURNING *)\nSELECT " + columns + " FROM changed";
	}

	@Override
	public String after(String micros) {
		return "CURRENT_TIMESTAMP + CAST(" + micros + " AS double precision) * INTERVAL '1 microsecond'";
	}

	@Override
	public String millisSince(String column) {
		return "CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP - " + column + ") * 1000 AS bigint)";
	}

	@Override
	public String unlocked() {
		return "FOR UPDATE SKIP LOCKED";
	}

	@Override
	public String key(String text) {
		return "idem_key(" + text + ")";
	}

	@Override
	public String expireDue() {
		return """
				WITH due AS (
					SELECT namespace, request_id FROM idem_operation
					WHERE namespace = :namespace AND status = 'IN_PROGRESS' AND lease_until <= CURRENT_TIMESTAMP
					ORDER BY lease_until
					LIMIT :limit
					FOR UPDATE SKIP LOCKED
				),
				changed AS (
					UPDATE idem_operation o
					SET status = 'IN_DOUBT', version = version + 1, may_have_applied = true,
						doubt_since = CURRENT_TIMESTAMP, checks = 0, send_again_once = false,
						needs_person = (downstream = 'OPAQUE'),
						next_check_at = CASE WHEN downstream = 'OPAQUE' THEN NULL ELSE CURRENT_TIMESTAMP END,
						error = NULL, updated_at = CURRENT_TIMESTAMP
					FROM due
					WHERE o.namespace = due.namespace AND o.request_id = due.request_id
						AND o.status = 'IN_PROGRESS' AND o.lease_until <= CURRENT_TIMESTAMP
					RETURNING o.*
				),""" + AUDIT + """
				SELECT {columns} FROM changed ORDER BY lease_until
				""";
	}

	@Override
	public String renew() {
		return """
				UPDATE idem_operation
				SET lease_until = CURRENT_TIMESTAMP + CAST(:lease AS double precision) * INTERVAL '1 microsecond'
				WHERE namespace = :namespace AND request_id = :request_id
					AND status = 'IN_PROGRESS' AND owner = :owner AND lease_until > CURRENT_TIMESTAMP
				""";
	}

	@Override
	public String discrepancy() {
		return """
				INSERT INTO idem_discrepancy (id, namespace, request_id, kind, state, evidence, created_at)
				VALUES (:id, :namespace, :request_id, :kind, 'OPEN', :evidence, CURRENT_TIMESTAMP)
				ON CONFLICT DO NOTHING
				""";
	}

	@Override
	public @Nullable String audit() {
		return null;
	}

	@Override
	public String findByDedupKey() {
		return """
				SELECT {columns} FROM idem_operation
				WHERE namespace = :namespace AND idem_key(task_id) = idem_key(:task_id)
					AND idem_key(tool) = idem_key(:tool) AND dedup_key = :dedup_key
				""";
	}

	@Override
	public String findByBusinessKey() {
		return """
				SELECT {columns} FROM idem_operation
				WHERE namespace = :namespace AND idem_key(tool) = idem_key(:tool) AND business_key = :business_key
				""";
	}

	@Override
	public String findByToolCall() {
		return """
				SELECT {columns} FROM idem_operation
				WHERE namespace = :namespace AND idem_key(task_id) = idem_key(:task_id)
					AND idem_key(tool_call_id) = idem_key(:tool_call_id)
				ORDER BY created_at, request_id
				""";
	}

}
