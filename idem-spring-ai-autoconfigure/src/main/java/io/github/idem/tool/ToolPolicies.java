package io.github.idem.tool;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import io.github.idem.Duplicates;
import io.github.idem.IdempotencyException;
import io.github.idem.Idempotent;
import io.github.idem.identity.ArgumentSchema;
import io.github.idem.operation.ToolPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.support.ToolDefinitions;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.util.StringUtils;

/**
 * Knows which tools are protected, and how: by {@code @Idempotent}, by settings of the
 * tool's name, or both, where settings overrule the annotation. Resolved once for each
 * method and definition; a tool without settings costs one look-up.
 */
public final class ToolPolicies {

	private static final ToolSettings READ_ONLY = new ToolSettings(null, null, null, null, null, null, null, null,
			true);

	private final Map<String, ToolSettings> settings;

	private final EffectPolicies effects;

	private final Map<Key, Optional<ToolPolicy>> resolved = new ConcurrentReferenceHashMap<>();

	/**
	 * Create the look-up.
	 * @param settings settings by tool name
	 * @param effects what is known of tools' effects
	 */
	public ToolPolicies(Map<String, ToolSettings> settings, EffectPolicies effects) {
		this.settings = Map.copyOf(settings);
		this.effects = effects;
	}

	/**
	 * The settings of a tool.
	 * @param callback the tool as Spring AI has it
	 * @return its settings, or {@code null} if it is not protected, or is protected
	 * already behind decorators
	 * @throws IdempotencyException if they make no sense
	 */
	@Nullable ToolPolicy find(ToolCallback callback) {
		ToolCallback tool = ToolMethods.undecorated(callback);
		Method method = ToolMethods.of(tool);
		if (tool instanceof IdempotentToolCallback || (method == null && this.settings.isEmpty())) {
			return null;
		}
		Key key = Key.of(callback, tool);
		Optional<ToolPolicy> known = this.resolved.get(key);
		ToolPolicy policy = ((known != null) ? known : this.resolved.computeIfAbsent(key, this::resolve)).orElse(null);
		if (policy != null) {
			ToolMethods.requireProtectable(tool);
		}
		return policy;
	}

	/** The settings of a tool method, as a tool made of it has them. */
	@Nullable ToolPolicy find(Method method) {
		ToolDefinition definition = ToolDefinitions.from(method);
		return resolve(new Key(method, null, false, definition.name(), definition.inputSchema())).orElse(null);
	}

	/** Whether the settings of a tool's name say that it changes nothing. */
	boolean readOnly(String tool) {
		return this.settings.getOrDefault(tool, ToolSettings.NONE).isReadOnly();
	}

	/** The tools that have settings by name. */
	Set<String> named() {
		return new TreeSet<>(this.settings.keySet());
	}

	/**
	 * The settings of a tool that is protected in any case: the defaults, if it has none.
	 */
	ToolPolicy findOrDefault(ToolCallback callback) {
		ToolPolicy policy = find(callback);
		if (policy != null) {
			return policy;
		}
		ToolCallback tool = ToolMethods.undecorated(callback);
		ToolMethods.requireProtectable(tool);
		return policy(Key.of(callback, tool), ToolSettings.NONE);
	}

	private Optional<ToolPolicy> resolve(Key key) {
		Idempotent annotation = (key.method() != null)
				? AnnotatedElementUtils.findMergedAnnotation(key.method(), Idempotent.class) : null;
		ToolSettings named = this.settings.get(key.tool());
		if (annotation == null && named == null) {
			return Optional.empty();
		}
		ToolSettings all = merge(named, annotation);
		if (!all.isReadOnly()) {
			return Optional.of(policy(key, all));
		}
		if (annotation != null || !READ_ONLY.equals(named)) {
			throw new IdempotencyException(
					"Tool '%s' has settings of a protected tool and idem.tools.%s.read-only=true: remove one of them."
						.formatted(key.tool(), key.tool()));
		}
		return Optional.empty();
	}

	private ToolPolicy policy(Key key, ToolSettings settings) {
		ArgumentConverter converter = converter(key);
		ArgumentSchema declared = ArgumentSchema.of(key.inputSchema());
		ArgumentSchema schema = converter.takesMoreThan(declared.names())
				? declared.literal(key.functionInput() != null) : declared;
		String expression = Objects.requireNonNullElse(settings.key(), "");
		KeyExpression businessKey = StringUtils.hasText(expression)
				? KeyExpression.parse(key.tool(), expression, schema.declared()) : null;
		return new ToolPolicy(key.tool(), schema, new ToolBinding(converter, businessKey),
				Objects.requireNonNullElse(settings.duplicates(), Duplicates.COLLAPSE),
				Objects.requireNonNullElse(settings.ignoring(), Set.of()), this.effects.of(key.tool(), settings));
	}

	/** What a decorator makes of the arguments on the way to the tool is not known. */
	private static ArgumentConverter converter(Key key) {
		if (key.decorated()) {
			return PlainArguments.INSTANCE;
		}
		if (key.method() != null) {
			return new MethodArguments(key.method());
		}
		return (key.functionInput() != null) ? new FunctionArguments(key.functionInput()) : PlainArguments.INSTANCE;
	}

	private static ToolSettings merge(@Nullable ToolSettings named, @Nullable Idempotent annotation) {
		ToolSettings written = (annotation != null) ? new ToolSettings(annotation.key(), annotation.duplicates(),
				Set.of(annotation.ignoring()), annotation.downstream(), annotation.effect(), annotation.probe(), null,
				Set.of(annotation.notAppliedFor()), null) : ToolSettings.NONE;
		return (named != null) ? named.orElse(written) : written;
	}

	private record Key(@Nullable Method method, @Nullable Type functionInput, boolean decorated, String tool,
			String inputSchema) {

		static Key of(ToolCallback callback, ToolCallback tool) {
			ToolDefinition definition = callback.getToolDefinition();
			return new Key(ToolMethods.of(tool), ToolMethods.functionInput(tool), callback != tool, definition.name(),
					definition.inputSchema());
		}

	}

}
