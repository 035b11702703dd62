package io.github.idem.jdbc;

import org.jspecify.annotations.Nullable;

/** The statements of one database, prepared once for one schema. */
final class Statements {

	private static final String COLUMNS = """
			namespace, request_id, task_id, tool_call_id, tool, fingerprint, dedup_key, business_key, business_ref,
				status, version, attempt, owner, lease_until, lease_until <= CURRENT_TIMESTAMP AS lease_expired,
				may_have_applied, arguments, result, error, created_at, updated_at
			""".strip();

	final @Nullable Sql existing;

	final Sql claim;

	final Sql claimAgain;

	final Sql settle;

	final Sql expire;

	final Sql expireDue;

	final Sql renew;

	final Sql discrepancy;

	final @Nullable Sql audit;

	final Sql findByRequestId;

	final Sql findByDedupKey;

	final Sql findByBusinessKey;

	final Sql findByToolCall;

	final Sql history;

	Statements(SqlSource source, @Nullable String schema) {
		String qualifier = (schema != null) ? '"' + schema.replace("\"", "\"\"") + "\"." : "";
		this.existing = prepareIfAny(source.existing(), qualifier);
		this.claim = prepare(source.claim(), qualifier);
		this.claimAgain = prepare(source.claimAgain(), qualifier);
		this.settle = prepare(source.settle(), qualifier);
		this.expire = prepare(source.expire(), qualifier);
		this.expireDue = prepare(source.expireDue(), qualifier);
		this.renew = prepare(source.renew(), qualifier);
		this.discrepancy = prepare(source.discrepancy(), qualifier);
		this.audit = prepareIfAny(source.audit(), qualifier);
		this.findByRequestId = prepare(source.findByRequestId(), qualifier);
		this.findByDedupKey = prepare(source.findByDedupKey(), qualifier);
		this.findByBusinessKey = prepare(source.findByBusinessKey(), qualifier);
		this.findByToolCall = prepare(source.findByToolCall(), qualifier);
		this.history = prepare(source.history(), qualifier);
	}

	private static Sql prepare(String text, String qualifier) {
		return new Sql(text.replace("{columns}", COLUMNS), qualifier);
	}

	private static @Nullable Sql prepareIfAny(@Nullable String text, String qualifier) {
		return (text != null) ? prepare(text, qualifier) : null;
	}

}
