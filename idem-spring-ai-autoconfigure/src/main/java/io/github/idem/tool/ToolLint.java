package io.github.idem.tool;

import java.util.ArrayList;
import java.util.List;

import io.github.idem.Downstream;
import io.github.idem.EffectBoundary;
import io.github.idem.IdempotencyException;
import io.github.idem.operation.EffectPolicy;
import io.github.idem.operation.ToolPolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.ClassUtils;

/**
 * Says at start-up of each tool whether it is protected and how, and names those that
 * look as if they change something and are not.
 */
public final class ToolLint implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(ToolLint.class);

	private final KnownTools tools;

	private final ToolPolicies policies;

	private final LintMode mode;

	/**
	 * Create the check.
	 * @param tools the tools that are known at start-up
	 * @param policies what is protected, and how
	 * @param mode what to do about unprotected writers
	 */
	public ToolLint(KnownTools tools, ToolPolicies policies, LintMode mode) {
		this.tools = tools;
		this.policies = policies;
		this.mode = mode;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (this.mode == LintMode.OFF) {
			return;
		}
		List<String> writers = new ArrayList<>();
		for (KnownTool tool : this.tools.all()) {
			ToolPolicy policy = tool.policy(this.policies);
			if (policy != null) {
				reportProtected(tool, policy);
			}
			else {
				reportUnprotected(tool, writers);
			}
		}
		if (this.mode == LintMode.FAIL && !writers.isEmpty()) {
			throw new IdempotencyException(String.join(" ", writers));
		}
	}

	private void reportProtected(KnownTool tool, ToolPolicy policy) {
		logger.info("Tool '{}' ({}) is protected: {}", tool.name(), tool.where(), describe(policy));
		if (tool.retried()) {
			logger.warn("Tool '{}' ({}) is protected, but its method is repeated by a retry annotation: all repeats are"
					+ " one attempt to idem. Leave retrying to idem, or see that downstream deduplicates on the request"
					+ " id.", tool.name(), tool.where());
		}
	}

	private void reportUnprotected(KnownTool tool, List<String> writers) {
		String reason = (tool.declaredReadOnly() || this.policies.readOnly(tool.name())) ? null
				: tool.looksLikeWriter();
		if (reason == null) {
			logger.info("Tool '{}' ({}) is not protected", tool.name(), tool.where());
			return;
		}
		String sentence = "Tool '%s' (%s) is not protected and looks as if it changes something: %s. Put @Idempotent on it, or say that it does not with @ReadOnlyTool or idem.tools.%s.read-only=true."
			.formatted(tool.name(), tool.where(), reason, tool.name());
		writers.add(sentence);
		if (this.mode == LintMode.WARN) {
			logger.warn(sentence);
		}
	}

	private static String describe(ToolPolicy policy) {
		String key = (policy.binder() instanceof ToolBinding binding && binding.key() != null)
				? ", key " + binding.key() : "";
		String ignoring = policy.ignoring().isEmpty() ? "" : ", ignoring " + policy.ignoring();
		EffectPolicy effect = policy.effect();
		String probe = (effect.probe() != null) ? ", probe " + ClassUtils.getShortName(effect.probe().getClass()) : "";
		String boundary = (effect.boundary() != EffectBoundary.ANYWHERE) ? ", effect " + effect.boundary() : "";
		return "duplicates " + policy.duplicates() + key + ignoring + ", downstream " + effect.downstream() + probe
				+ boundary + ((effect.downstream() == Downstream.OPAQUE)
						? " (without a probe, what is in doubt waits for a person)" : "");
	}

}
