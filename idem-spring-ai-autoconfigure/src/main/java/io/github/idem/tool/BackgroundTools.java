package io.github.idem.tool;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import io.github.idem.ContextRestorer;
import io.github.idem.IdempotencyException;
import io.github.idem.operation.Answer;
import io.github.idem.operation.IdempotentExecutor;
import io.github.idem.operation.ToolPolicy;
import io.github.idem.operation.ToolRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;

/**
 * The tools that can be worked on when no caller is there: tool methods of beans, which
 * are there again after a restart. One that takes a {@code ToolContext} is entered only
 * if the application can restore that.
 */
public final class BackgroundTools implements ToolRegistry {

	private static final Logger logger = LoggerFactory.getLogger(BackgroundTools.class);

	private final ToolBeans beans;

	private final KnownTools tools;

	private final ToolPolicies policies;

	private final EffectPolicies effects;

	private final Supplier<IdempotentExecutor> executor;

	private final Supplier<@Nullable ContextRestorer> restorer;

	private volatile @Nullable Map<String, KnownEffect> known;

	/**
	 * Create the registry.
	 * @param beans beans with tool methods
	 * @param tools the tools that are known at start-up
	 * @param policies what is protected, and how
	 * @param effects what is known of tools' effects
	 * @param executor the engine
	 * @param restorer restores the context of a call that is gone; gives {@code null} if
	 * the application can't
	 */
	public BackgroundTools(ToolBeans beans, KnownTools tools, ToolPolicies policies, EffectPolicies effects,
			Supplier<IdempotentExecutor> executor, Supplier<@Nullable ContextRestorer> restorer) {
		this.beans = beans;
		this.tools = tools;
		this.policies = policies;
		this.effects = effects;
		this.executor = executor;
		this.restorer = restorer;
	}

	@Override
	public KnownEffect find(String tool) {
		Map<String, KnownEffect> all = this.known;
		if (all == null) {
			all = lookUp();
			this.known = all;
		}
		KnownEffect effect = all.get(tool);
		return (effect != null) ? effect : ofProbe(tool);
	}

	/**
	 * Of a tool that is not known before it is called, such as of a plain object. Which
	 * of several probes it names is not known either.
	 */
	private KnownEffect ofProbe(String tool) {
		try {
			return KnownEffect.ofProbe(this.effects.probe(tool));
		}
		catch (IdempotencyException ex) {
			logger.warn("Nobody is asked in the background: {}", ex.getMessage());
			return KnownEffect.ofProbe(null);
		}
	}

	private Map<String, KnownEffect> lookUp() {
		Map<String, KnownEffect> found = new HashMap<>();
		for (KnownTool tool : this.tools.all()) {
			ToolPolicy policy = tool.policy(this.policies);
			if (policy != null) {
				KnownEffect effect = new KnownEffect(policy.effect().probe(), policy.effect().downstream(),
						policy.effect().notFoundIsFinal(), reEntry(tool, policy));
				// Two tools of one name are one to the record: neither is entered.
				found.merge(tool.name(), effect, (one, other) -> new KnownEffect(one.probe(), one.downstream(),
						one.notFoundIsFinal() && other.notFoundIsFinal(), null));
			}
		}
		return found;
	}

	private @Nullable ReEntry reEntry(KnownTool tool, ToolPolicy policy) {
		Method method = tool.method();
		String bean = tool.bean();
		if (method == null || bean == null) {
			return null;
		}
		boolean takesContext = Arrays.asList(method.getParameterTypes()).contains(ToolContext.class);
		ContextRestorer restoring = this.restorer.get();
		if (takesContext && restoring == null) {
			return null;
		}
		return (inDoubt, reason) -> {
			ToolCallback callback = callback(bean, tool.name());
			try (ContextRestorer.Context context = (restoring != null) ? restoring.restore(inDoubt) : () -> {
			}) {
				Optional<Answer> answer = this.executor.get()
					.sendAgain(inDoubt, policy, context.toolContext(), new ToolEntry(callback, context.toolContext()),
							reason);
				logger.info("{}: sent {} again in the background: {}", inDoubt.requestId(), inDoubt.tool(),
						answer.map((given) -> given.getClass().getSimpleName()).orElse("it had moved on"));
				return answer;
			}
		};
	}

	private ToolCallback callback(String bean, String tool) {
		Object object = this.beans.existing(bean);
		if (object == null) {
			throw new IdempotencyException("Bean '%s' of tool '%s' does not exist yet.".formatted(bean, tool));
		}
		return Arrays.stream(ToolCallbacks.from(object))
			.filter((callback) -> callback.getToolDefinition().name().equals(tool))
			.findFirst()
			.orElseThrow(() -> new IdempotencyException("Bean '%s' has no tool '%s'.".formatted(bean, tool)));
	}

}
