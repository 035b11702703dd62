package io.github.idem.tool;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import io.github.idem.Duplicates;
import io.github.idem.Idempotent;
import io.github.idem.identity.ArgumentSchema;
import io.github.idem.operation.ToolPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.method.MethodToolCallback;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.util.StringUtils;

/**
 * Knows which tools are protected, and how: by {@code @Idempotent}, by settings of the
 * tool's name, or both, where settings overrule the annotation. Resolved once for each
 * method and definition; a tool without settings costs one look-up.
 */
public final class ToolPolicies {

	private final Map<String, ToolSettings> settings;

	private final Map<Key, Optional<ToolPolicy>> resolved = new ConcurrentReferenceHashMap<>();

	/**
	 * Create the look-up.
	 * @param settings settings by tool name
	 */
	public ToolPolicies(Map<String, ToolSettings> settings) {
		this.settings = Map.copyOf(settings);
	}

	/**
	 * The settings of a tool.
	 * @param callback the tool as Spring AI has it
	 * @return its settings, or {@code null} if it is not protected
	 * @throws io.github.idem.IdempotencyException if they make no sense
	 */
	@Nullable ToolPolicy find(ToolCallback callback) {
		Method method = (callback instanceof MethodToolCallback) ? toolMethod(callback) : null;
		if (method == null && this.settings.isEmpty()) {
			return null;
		}
		ToolDefinition definition = callback.getToolDefinition();
		Type input = (callback instanceof FunctionToolCallback) ? functionInput(callback) : null;
		Key key = new Key(method, input, definition.name(), definition.inputSchema());
		return this.resolved.computeIfAbsent(key, this::resolve).orElse(null);
	}

	private Optional<ToolPolicy> resolve(Key key) {
		Idempotent annotation = (key.method() != null)
				? AnnotatedElementUtils.findMergedAnnotation(key.method(), Idempotent.class) : null;
		ToolSettings named = this.settings.get(key.tool());
		if (annotation == null && named == null) {
			return Optional.empty();
		}
		ToolSettings all = merge(named, annotation);
		ArgumentConverter converter = converter(key);
		ArgumentSchema declared = ArgumentSchema.of(key.inputSchema());
		ArgumentSchema schema = converter.takesMoreThan(declared.names())
				? declared.literal(key.functionInput() != null) : declared;
		String expression = Objects.requireNonNullElse(all.key(), "");
		KeyExpression businessKey = StringUtils.hasText(expression)
				? KeyExpression.parse(key.tool(), expression, schema.declared()) : null;
		return Optional.of(new ToolPolicy(key.tool(), schema, new ToolBinding(converter, businessKey),
				Objects.requireNonNullElse(all.duplicates(), Duplicates.COLLAPSE),
				Objects.requireNonNullElse(all.ignoring(), Set.of()),
				Objects.requireNonNullElse(all.notAppliedFor(), Set.of())));
	}

	private static ArgumentConverter converter(Key key) {
		if (key.method() != null) {
			return new MethodArguments(key.method());
		}
		return (key.functionInput() != null) ? new FunctionArguments(key.functionInput()) : PlainArguments.INSTANCE;
	}

	private static ToolSettings merge(@Nullable ToolSettings named, @Nullable Idempotent annotation) {
		ToolSettings written = (annotation != null) ? new ToolSettings(annotation.key(), annotation.duplicates(),
				Set.of(annotation.ignoring()), Set.of(annotation.notAppliedFor()))
				: new ToolSettings(null, null, null, null);
		return (named != null) ? named.orElse(written) : written;
	}

	/** {@link MethodToolCallback} has no getter for its method. */
	private static Method toolMethod(ToolCallback callback) {
		return field(callback, "toolMethod", Method.class);
	}

	/** Nor {@link FunctionToolCallback} for the type of its input. */
	private static Type functionInput(ToolCallback callback) {
		return field(callback, "toolInputType", Type.class);
	}

	private static <T> T field(ToolCallback callback, String name, Class<T> type) {
		Object value = new DirectFieldAccessor(callback).getPropertyValue(name);
		if (type.isInstance(value)) {
			return type.cast(value);
		}
		throw new IllegalStateException("%s has no field '%s' any more: idem cannot tell whether tool '%s' is protected"
			.formatted(callback.getClass().getSimpleName(), name, callback.getToolDefinition().name()));
	}

	private record Key(@Nullable Method method, @Nullable Type functionInput, String tool, String inputSchema) {
	}

}
