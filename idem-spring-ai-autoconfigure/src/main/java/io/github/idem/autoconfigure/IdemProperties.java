package io.github.idem.autoconfigure;

import java.time.Duration;
import java.util.Map;

import io.github.idem.Downstream;
import io.github.idem.EffectBoundary;
import io.github.idem.jdbc.SchemaMode;
import io.github.idem.tool.LintMode;
import io.github.idem.tool.ToolSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/**
 * Settings of idem.
 *
 * @param enabled whether {@code @Idempotent} has any effect; if not, annotated tools run
 * unprotected
 * @param namespace the application the operations belong to; applications that share a
 * database never see each other's. Defaults to the value of spring.application.name, else
 * to "application"
 * @param dataSource name of the DataSource bean that holds the record; by default the
 * only or the primary one
 * @param lease how long a claim stands without being renewed, which happens at a quarter
 * of it; after that the operation is in doubt
 * @param maxRun how long a running tool is renewed at most
 * @param schema the tables of idem
 * @param taskId the task a call belongs to
 * @param waiting what a duplicate of a running call does
 * @param recovery what goes on when no caller is there
 * @param defaults settings of tools that don't say
 * @param retry attempts of one call that did nothing for a passing reason, or that may be
 * sent again without harm
 * @param probe asking downstream what became of an attempt
 * @param downstreamWindow for how long after the first attempt a downstream that
 * deduplicates is trusted to remember the request id; later it is not sent again
 * @param store the record
 * @param lint what to do at start-up about tools that look as if they change something
 * and are not protected
 * @param tools settings of single tools by name (key, duplicates, ignoring, downstream,
 * effect, probe, not-found-is-final, not-applied-for): for functions and MCP tools, which
 * have no method to annotate, or to overrule an annotation
 */
@ConfigurationProperties("idem")
public record IdemProperties(@DefaultValue("true") boolean enabled, @Nullable String namespace,
		@Nullable String dataSource, @DefaultValue("60s") Duration lease, @DefaultValue("1h") Duration maxRun,
		@DefaultValue Schema schema, @DefaultValue TaskId taskId, @Name("wait") @DefaultValue Wait waiting,
		@DefaultValue Recovery recovery, @Name("default") @DefaultValue Defaults defaults, @DefaultValue Retry retry,
		@DefaultValue Probe probe, @DefaultValue("12h") Duration downstreamWindow, @DefaultValue Store store,
		@DefaultValue("warn") LintMode lint, @DefaultValue Map<String, ToolSettings> tools) {

	/**
	 * The tables of idem.
	 *
	 * @param name schema of the tables; by default the connection's own
	 * @param mode what to do about the tables at start-up: create and update them, insist
	 * that they are there and current, or leave them alone
	 */
	public record Schema(@Nullable String name, @DefaultValue("migrate") SchemaMode mode) {
	}

	/**
	 * The task a call belongs to.
	 *
	 * @param required whether a chat request without a task id is an error before the
	 * model is called, instead of being given a new id
	 */
	public record TaskId(@DefaultValue("false") boolean required) {
	}

	/**
	 * What a duplicate of a running call does.
	 *
	 * @param timeout how long it waits for the result before the model is told that the
	 * call is in progress
	 */
	public record Wait(@DefaultValue("3s") Duration timeout) {
	}

	/**
	 * Settings of tools that don't say.
	 *
	 * @param effect where in a tool's body its effect can be made
	 * @param downstream what downstream does for us when an outcome is not known
	 */
	public record Defaults(@DefaultValue("anywhere") EffectBoundary effect,
			@DefaultValue("auto") Downstream downstream) {
	}

	/**
	 * Attempts of one call.
	 *
	 * @param maxAttempts how many, the first included
	 * @param initialDelay pause before the second
	 * @param multiplier how much longer each pause is than the one before
	 * @param jitter by how much of itself a pause is off at most, from 0 to 1
	 */
	public record Retry(@DefaultValue("3") int maxAttempts, @DefaultValue("1s") Duration initialDelay,
			@DefaultValue("2") double multiplier, @DefaultValue("0.3") double jitter) {
	}

	/**
	 * Asking downstream.
	 *
	 * @param maxAttempts how often it is asked while the caller waits; the background
	 * goes on asking
	 * @param delay pause before the first question; the following ones grow
	 * @param timeout how long one question may take
	 * @param settle how long after an attempt its request may still arrive downstream:
	 * until then "not found" says nothing
	 */
	public record Probe(@DefaultValue("3") int maxAttempts, @DefaultValue("500ms") Duration delay,
			@DefaultValue("5s") Duration timeout, @DefaultValue("30s") Duration settle) {
	}

	/**
	 * What goes on when no caller is there: leases that ran out are put in doubt, and
	 * doubts are looked into.
	 *
	 * @param interval pause between two looks
	 */
	public record Recovery(@DefaultValue("30s") Duration interval) {
	}

	/**
	 * The record.
	 *
	 * @param onVolatile what to do at start-up about a database that forgets everything
	 * when the process ends
	 */
	public record Store(@Name("volatile") @DefaultValue("warn") VolatileStore onVolatile) {
	}

}
