package io.github.idem.jdbc;

/**
 * What is done about operations in doubt, the same for every database. {@code {doubt}}
 * stands for what an open doubt is read from.
 */
final class DoubtSql {

	static final String COLUMNS = """
			downstream, checks, resends, needs_person, send_again_once, several_requests,
				{since:created_at} AS since_first_claim, {since:doubt_since} AS in_doubt_for
			""".strip();

	private static final String OPEN = "(status = 'IN_DOUBT' OR (status = 'FAILED' AND may_have_applied))";

	private static final String KEY_IS_FREE = """
			NOT EXISTS (
				SELECT 1 FROM idem_operation holder
				WHERE holder.namespace = :namespace AND {key:holder.tool} = {key::tool}
					AND holder.business_key = :business_key)
			""".strip();

	private static final String KEY_TAKEN_AGAIN = """
			CASE WHEN business_key IS NOT NULL THEN business_key
				WHEN {free} THEN CAST(:business_key AS VARCHAR)
				ELSE NULL END
			""".strip().replace("{free}", KEY_IS_FREE);

	static final String RESOLVE = """
			UPDATE idem_operation
			SET status = :to_status, version = version + 1,
				may_have_applied = (CAST(:to_status AS VARCHAR) = 'IN_DOUBT'),
				business_key = CASE WHEN CAST(:to_status AS VARCHAR) = 'FAILED' THEN NULL ELSE {taken again} END,
				checks = 0, needs_person = FALSE, send_again_once = (CAST(:to_status AS VARCHAR) = 'IN_DOUBT'),
				next_check_at = CASE WHEN CAST(:to_status AS VARCHAR) = 'IN_DOUBT' THEN CURRENT_TIMESTAMP
					ELSE NULL END,
				result = :result, error = :error, updated_at = CURRENT_TIMESTAMP
			WHERE namespace = :namespace AND request_id = :request_id AND version = :version
				AND status = :from_status AND {open}
				AND (CAST(:to_status AS VARCHAR) <> 'IN_DOUBT' OR business_key IS NOT NULL OR {free})
			""".replace("{taken again}", KEY_TAKEN_AGAIN).replace("{open}", OPEN).replace("{free}", KEY_IS_FREE);

	static final String SEND_AGAIN = """
			UPDATE idem_operation
			SET status = 'IN_PROGRESS', version = version + 1, attempt = attempt + 1, owner = :owner,
				lease_until = {after:lease}, resends = resends + 1, needs_person = FALSE, send_again_once = FALSE,
				next_check_at = NULL, updated_at = CURRENT_TIMESTAMP
			WHERE namespace = :namespace AND request_id = :request_id AND version = :version
				AND status = 'IN_DOUBT'
			""";

	static final String RELEASE_KEY = """
			UPDATE idem_operation
			SET version = version + 1, business_key = NULL, updated_at = CURRENT_TIMESTAMP
			WHERE namespace = :namespace AND request_id = :request_id AND version = :version
				AND status IN ('SUCCEEDED', 'COMPENSATED') AND status = :from_status
			""";

	static final String DISPUTE = """
			UPDATE idem_operation
			SET version = version + 1, may_have_applied = TRUE, needs_person = (status <> 'IN_PROGRESS'),
				send_again_once = FALSE,
				doubt_since = CASE WHEN status = 'IN_DOUBT' THEN doubt_since ELSE CURRENT_TIMESTAMP END,
				updated_at = CURRENT_TIMESTAMP, business_key =\s""" + KEY_TAKEN_AGAIN + """

			WHERE namespace = :namespace AND request_id = :request_id AND version = :version
				AND status = :from_status
				AND (status = 'IN_DOUBT' OR (status IN ('FAILED', 'IN_PROGRESS') AND NOT may_have_applied))
			""";

	static final String TAKE_DUE = """
			UPDATE idem_operation
			SET next_check_at = {after:put_off}
			WHERE namespace = :namespace AND status = 'IN_DOUBT' AND next_check_at <= CURRENT_TIMESTAMP
				AND request_id IN (
					SELECT request_id FROM idem_operation
					WHERE namespace = :namespace AND status = 'IN_DOUBT' AND next_check_at <= CURRENT_TIMESTAMP
						AND request_id IN (
							SELECT due.request_id FROM (
								SELECT request_id,
									ROW_NUMBER() OVER (PARTITION BY tool ORDER BY next_check_at, request_id) AS place
								FROM idem_operation
								WHERE namespace = :namespace AND status = 'IN_DOUBT'
									AND next_check_at <= CURRENT_TIMESTAMP) due
							WHERE due.place <= :limit)
					{unlocked})
			""";

	static final String FIND = """
			SELECT {doubt} FROM idem_operation
			WHERE namespace = :namespace AND request_id = :request_id AND\s""" + OPEN;

	static final String KEEP_CHECK = """
			INSERT INTO idem_check (namespace, request_id, attempt, kind, waited_ms, reason, outcome, created_at)
			VALUES (:namespace, :request_id, :attempt, :kind, :waited_ms, :reason, :outcome, CURRENT_TIMESTAMP)
			""";

	static final String PUT_OFF = """
			UPDATE idem_operation
			SET checks = checks + 1, needs_person = :needs_person,
				next_check_at = CASE WHEN CAST(:never AS BOOLEAN) THEN NULL ELSE {after:next_look} END
			WHERE namespace = :namespace AND request_id = :request_id AND version = :version AND status = 'IN_DOUBT'
			""";

	static final String CHECKS = """
			SELECT kind, waited_ms, reason, outcome FROM idem_check
			WHERE namespace = :namespace AND request_id = :request_id
			ORDER BY id
			""";

	static final String WAITING_FOR_PERSON = """
			SELECT {columns} FROM idem_operation
			WHERE namespace = :namespace AND needs_person AND\s""" + OPEN + """

			ORDER BY doubt_since, request_id
			FETCH FIRST :limit ROWS ONLY
			""";

	static final String SEVERAL_REQUESTS = """
			UPDATE idem_operation
			SET several_requests = TRUE
			WHERE namespace = :namespace AND request_id = :request_id
				AND status = 'IN_PROGRESS' AND owner = :owner AND lease_until > CURRENT_TIMESTAMP
			""";

	private DoubtSql() {
	}

}
