package io.github.idem.tool;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.github.idem.Idempotent;
import io.github.idem.identity.ArgumentSchema;
import io.github.idem.operation.ToolPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.method.MethodToolCallback;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ConcurrentReferenceHashMap;

/**
 * Knows which tools are protected, and how. Resolved once for each method and definition;
 * a tool without settings costs one look-up.
 */
final class ToolPolicies {

	private final Map<Key, Optional<ToolPolicy>> resolved = new ConcurrentReferenceHashMap<>();

	/**
	 * The settings of a tool.
	 * @param callback the tool as Spring AI has it
	 * @return its settings, or {@code null} if it is not protected
	 */
	@Nullable ToolPolicy find(ToolCallback callback) {
		if (!(callback instanceof MethodToolCallback)) {
			return null;
		}
		Method method = toolMethod(callback);
		ToolDefinition definition = callback.getToolDefinition();
		Key key = new Key(method, definition.name(), definition.inputSchema());
		return this.resolved.computeIfAbsent(key, ToolPolicies::resolve).orElse(null);
	}

	private static Optional<ToolPolicy> resolve(Key key) {
		Idempotent annotation = AnnotatedElementUtils.findMergedAnnotation(key.method(), Idempotent.class);
		if (annotation == null) {
			return Optional.empty();
		}
		return Optional.of(new ToolPolicy(key.tool(), ArgumentSchema.of(key.inputSchema()), annotation.duplicates(),
				Set.of(annotation.ignoring()), Set.of(annotation.notAppliedFor())));
	}

	/** {@link MethodToolCallback} has no getter for its method. */
	private static Method toolMethod(ToolCallback callback) {
		Object method = new DirectFieldAccessor(callback).getPropertyValue("toolMethod");
		if (method instanceof Method found) {
			return found;
		}
		throw new IllegalStateException("MethodToolCallback has no field 'toolMethod' any more: "
				+ "idem cannot tell whether tool '" + callback.getToolDefinition().name() + "' is protected");
	}

	private record Key(Method method, String tool, String inputSchema) {
	}

}
