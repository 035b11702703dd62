package io.github.idem.autoconfigure;

import java.time.Duration;
import java.util.Map;

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
 * @param lease how long a claim stands without being renewed, which happens at a third of
 * it; after that the operation is in doubt
 * @param maxRun how long a running tool is renewed at most
 * @param schema the tables of idem
 * @param taskId the task a call belongs to
 * @param waiting what a duplicate of a running call does
 * @param recovery the job that looks for claims of processes that are gone
 * @param store the record
 * @param lint what to do at start-up about tools that look as if they change something
 * and are not protected
 * @param tools settings of single tools by name (key, duplicates, ignoring,
 * not-applied-for): for functions and MCP tools, which have no method to annotate, or to
 * overrule an annotation
 */
@ConfigurationProperties("idem")
public record IdemProperties(@DefaultValue("true") boolean enabled, @Nullable String namespace,
		@Nullable String dataSource, @DefaultValue("60s") Duration lease, @DefaultValue("1h") Duration maxRun,
		@DefaultValue Schema schema, @DefaultValue TaskId taskId, @Name("wait") @DefaultValue Wait waiting,
		@DefaultValue Recovery recovery, @DefaultValue Store store, @DefaultValue("warn") LintMode lint,
		@DefaultValue Map<String, ToolSettings> tools) {

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
	 * The job that looks for claims of processes that are gone.
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
