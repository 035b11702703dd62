package io.github.idem.operation;

import java.util.Objects;
import java.util.Set;

import io.github.idem.Duplicates;
import io.github.idem.identity.ArgumentSchema;

/**
 * A protected tool and its settings, resolved once, wherever they were written.
 *
 * @param tool the tool's name; within a task it is the tool's identity
 * @param schema the tool's input schema, which says what its arguments mean
 * @param binder what the tool makes of its arguments before the call is claimed
 * @param duplicates what an equal call under another id means
 * @param ignoring top-level arguments that do not make a call different
 * @param effect what is known of its effect
 */
public record ToolPolicy(String tool, ArgumentSchema schema, CallBinder binder, Duplicates duplicates,
		Set<String> ignoring, EffectPolicy effect) {

	public ToolPolicy {
		Objects.requireNonNull(tool, "tool");
		Objects.requireNonNull(schema, "schema");
		Objects.requireNonNull(binder, "binder");
		Objects.requireNonNull(duplicates, "duplicates");
		ignoring = Set.copyOf(ignoring);
		Objects.requireNonNull(effect, "effect");
	}

}
