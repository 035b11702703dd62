package io.github.idem.tool;

import java.util.Set;

import io.github.idem.Downstream;
import io.github.idem.Duplicates;
import io.github.idem.EffectBoundary;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a tool that were not written as an annotation: of functions and MCP tools,
 * or to overrule an annotation in one environment. What is {@code null} is not set.
 *
 * @param key SpEL expression of the business key
 * @param duplicates what an equal call under another tool call id means
 * @param ignoring top-level arguments that do not make a call different
 * @param downstream what downstream does for us
 * @param effect where in the tool's body its effect can be made
 * @param probe bean name of the probe to ask
 * @param notFoundIsFinal {@code true} takes the risk that a request which downstream has
 * not found after the settle time never arrives: the operation then fails instead of
 * waiting for a person
 * @param notAppliedFor exceptions by which the tool says that nothing happened
 * @param readOnly {@code true} says that the tool changes nothing, and silences the
 * start-up check; such a tool has no other settings
 */
public record ToolSettings(@Nullable String key, @Nullable Duplicates duplicates, @Nullable Set<String> ignoring,
		@Nullable Downstream downstream, @Nullable EffectBoundary effect, @Nullable String probe,
		@Nullable Boolean notFoundIsFinal, @Nullable Set<Class<? extends Throwable>> notAppliedFor,
		@Nullable Boolean readOnly) {

	static final ToolSettings NONE = new ToolSettings(null, null, null, null, null, null, null, null, null);

	ToolSettings orElse(ToolSettings other) {
		return new ToolSettings((this.key != null) ? this.key : other.key,
				(this.duplicates != null) ? this.duplicates : other.duplicates,
				(this.ignoring != null) ? this.ignoring : other.ignoring,
				(this.downstream != null) ? this.downstream : other.downstream,
				(this.effect != null) ? this.effect : other.effect, (this.probe != null) ? this.probe : other.probe,
				(this.notFoundIsFinal != null) ? this.notFoundIsFinal : other.notFoundIsFinal,
				(this.notAppliedFor != null) ? this.notAppliedFor : other.notAppliedFor,
				(this.readOnly != null) ? this.readOnly : other.readOnly);
	}

	/** Whether these say that the tool changes nothing. */
	boolean isReadOnly() {
		return Boolean.TRUE.equals(this.readOnly);
	}

}
