package io.github.idem.jdbc;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/** The statements of one database, prepared once for one schema. */
final class Statements {

	private static final String COLUMNS = """
			namespace, request_id, task_id, tool_call_id, tool, fingerprint, dedup_key, business_key, business_ref,
				conversation_id, status, version, attempt, owner, lease_until, lease_until <= CURRENT_TIMESTAMP AS lease_expired,
				may_have_applied, arguments, result, error, created_at, updated_at
			"""
		.strip();

	private static final Pattern AFTER = Pattern.compile("\\{after:(\\w+)}");

	private static final Pattern SINCE = Pattern.compile("\\{since:(\\w+)}");

	private static final Pattern KEY = Pattern.compile("\\{key:([:.\\w]+)}");

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

	final Sql resolve;

	final Sql sendAgain;

	final Sql releaseKey;

	final Sql dispute;

	final Sql takeDue;

	final Sql findDoubt;

	final Sql keepCheck;

	final Sql putOff;

	final Sql checks;

	final Sql waitingForPerson;

	final Sql severalRequests;

	private final SqlSource source;

	private final String qualifier;

	Statements(SqlSource source, @Nullable String schema) {
		this.source = source;
		this.qualifier = (schema != null) ? '"' + schema.replace("\"", "\"\"") + "\"." : "";
		this.existing = prepareIfAny(source.existing());
		this.claim = prepare(source.claim());
		this.claimAgain = prepare(source.claimAgain());
		this.settle = prepare(source.settle());
		this.expire = prepare(source.expire());
		this.expireDue = prepare(source.expireDue());
		this.renew = prepare(source.renew());
		this.discrepancy = prepare(source.discrepancy());
		this.audit = prepareIfAny(source.audit());
		this.findByRequestId = prepare(source.findByRequestId());
		this.findByDedupKey = prepare(source.findByDedupKey());
		this.findByBusinessKey = prepare(source.findByBusinessKey());
		this.findByToolCall = prepare(source.findByToolCall());
		this.history = prepare(source.history());
		this.resolve = prepare(source.change(DoubtSql.RESOLVE));
		this.sendAgain = prepare(source.change(DoubtSql.SEND_AGAIN));
		this.releaseKey = prepare(source.change(DoubtSql.RELEASE_KEY));
		this.dispute = prepare(source.change(DoubtSql.DISPUTE));
		this.takeDue = prepare(source.update(DoubtSql.TAKE_DUE, "{doubt}"));
		this.findDoubt = prepare(DoubtSql.FIND);
		this.keepCheck = prepare(DoubtSql.KEEP_CHECK);
		this.putOff = prepare(DoubtSql.PUT_OFF);
		this.checks = prepare(DoubtSql.CHECKS);
		this.waitingForPerson = prepare(DoubtSql.WAITING_FOR_PERSON);
		this.severalRequests = prepare(DoubtSql.SEVERAL_REQUESTS);
	}

	private Sql prepare(String text) {
		String complete = text.replace("{doubt}", "{columns},\n" + DoubtSql.COLUMNS)
			.replace("{columns}", COLUMNS)
			.replace("{unlocked}", this.source.unlocked());
		complete = AFTER.matcher(complete).replaceAll((match) -> this.source.after(":" + match.group(1)));
		complete = SINCE.matcher(complete).replaceAll((match) -> this.source.millisSince(match.group(1)));
		complete = KEY.matcher(complete).replaceAll((match) -> this.source.key(match.group(1)));
		return new Sql(complete, this.qualifier);
	}

	private @Nullable Sql prepareIfAny(@Nullable String text) {
		return (text != null) ? prepare(text) : null;
	}

}
