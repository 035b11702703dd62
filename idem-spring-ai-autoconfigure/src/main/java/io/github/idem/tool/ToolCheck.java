package io.github.idem.tool;

import java.lang.reflect.Method;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.idem.IdempotencyException;
import io.github.idem.OutcomeProbe;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.DefaultChatClient;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.StringUtils;

/**
 * Checks at start-up what was written about tools: settings that make no sense stop the
 * application, and what has no effect is named.
 */
public final class ToolCheck implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(ToolCheck.class);

	private final ToolBeans beans;

	private final KnownTools tools;

	private final ToolPolicies policies;

	private final Function<String, ResolvableType> declared;

	/**
	 * Create the check.
	 * @param beans beans with tool methods
	 * @param tools the tools that are known at start-up
	 * @param policies what is protected, and how
	 * @param declared the type that a bean was declared with, by its name
	 */
	public ToolCheck(ToolBeans beans, KnownTools tools, ToolPolicies policies,
			Function<String, ResolvableType> declared) {
		this.beans = beans;
		this.tools = tools;
		this.policies = policies;
		this.declared = declared;
	}

	@Override
	public void afterSingletonsInstantiated() {
		for (ToolBeans.ToolBean bean : this.beans.idempotent()) {
			bean.methods().forEach((method) -> check(bean, method));
		}
		Map<String, OutcomeProbe> probes = this.beans.existing(OutcomeProbe.class);
		if (!this.policies.named().isEmpty() || !probes.isEmpty()) {
			this.beans.existing(FunctionToolCallback.class).forEach(this::checkFunction);
			List<KnownTool> known = this.tools.all();
			known.forEach(this::checkNamed);
			reportWithoutTool(known, probes);
		}
		this.beans.existing(ChatClient.class).forEach(this::reportIfOutOfReach);
	}

	/**
	 * A client that was built without our advisors runs tools by a manager that is no
	 * bean.
	 */
	private void reportIfOutOfReach(String bean, ChatClient client) {
		if (client.prompt() instanceof DefaultChatClient.DefaultChatClientRequestSpec request
				&& request.getAdvisors().stream().noneMatch(ToolLoopAdvisor.class::isInstance)) {
			logger.warn("ChatClient bean '{}' was not built from the auto-configured ChatClient.Builder: its tools are"
					+ " protected only if they are wrapped with IdempotentTools.wrap(...).", bean);
		}
	}

	private void check(ToolBeans.ToolBean bean, Method method) {
		String where = "@Idempotent on bean '%s' (%s)".formatted(bean.name(), ToolMethods.describe(method));
		if (!AnnotatedElementUtils.hasAnnotation(method, Tool.class)) {
			logger.warn("{} has no effect unless the method is made a tool: it lacks @Tool", where);
			return;
		}
		try {
			this.policies.find(method);
			ToolMethods.requireProtectable(method, this.beans.existing(bean));
			EntryMark.put(this.beans.existing(bean));
		}
		catch (IdempotencyException ex) {
			throw new IdempotencyException(where + " cannot be used. " + ex.getMessage(), ex);
		}
	}

	private void checkFunction(String bean, FunctionToolCallback<?, ?> function) {
		try {
			if (this.policies.find(function) != null) {
				ToolMethods.requireResult(function,
						this.declared.apply(bean).as(FunctionToolCallback.class).getGeneric(1));
			}
		}
		catch (IdempotencyException ex) {
			throw new IdempotencyException("The tool of bean '%s' cannot be used. %s".formatted(bean, ex.getMessage()),
					ex);
		}
	}

	private void checkNamed(KnownTool tool) {
		Method method = tool.method();
		String bean = tool.bean();
		try {
			if (tool.policy(this.policies) != null && method != null && bean != null) {
				ToolMethods.requireProtectable(method, this.beans.existing(bean));
				EntryMark.put(this.beans.existing(bean));
			}
		}
		catch (IdempotencyException ex) {
			throw new IdempotencyException(
					"Tool '%s' (%s) cannot be used. %s".formatted(tool.name(), tool.where(), ex.getMessage()), ex);
		}
	}

	/**
	 * A report and no failure: tools of plain objects and of MCP servers are not known
	 * yet.
	 */
	private void reportWithoutTool(List<KnownTool> tools, Map<String, OutcomeProbe> probes) {
		Set<String> known = tools.stream().map(KnownTool::name).collect(Collectors.toCollection(TreeSet::new));
		this.policies.named().forEach((name) -> reportIfUnknown("idem.tools." + name, name, known));
		Set<OutcomeProbe> asked = Collections.newSetFromMap(new IdentityHashMap<>());
		tools.stream()
			.map((tool) -> tool.policy(this.policies))
			.filter(Objects::nonNull)
			.map((policy) -> policy.effect().probe())
			.forEach(asked::add);
		probes.forEach((bean, probe) -> {
			String tool = probe.tool();
			if (!asked.contains(probe) && StringUtils.hasText(tool)) {
				reportIfUnknown("OutcomeProbe bean '%s' answers for tool '%s'".formatted(bean, tool), tool, known);
			}
		});
	}

	private static void reportIfUnknown(String what, String tool, Set<String> known) {
		if (!known.contains(tool)) {
			logger.warn("{}: no bean has a tool of this name{}. If it is a tool of an MCP server or of a plain object,"
					+ " all is well.", what, suggestion(tool, known));
		}
	}

	private static String suggestion(String name, Set<String> known) {
		return known.stream()
			.min(Comparator.comparingInt((candidate) -> distance(name, candidate)))
			.map((nearest) -> "; the nearest is '" + nearest + "'")
			.orElse("");
	}

	/** Levenshtein distance: how many letters to add, drop or change. */
	private static int distance(String one, String other) {
		int[] costs = new int[other.length() + 1];
		for (int column = 0; column <= other.length(); column++) {
			costs[column] = column;
		}
		for (int row = 1; row <= one.length(); row++) {
			int diagonal = costs[0];
			costs[0] = row;
			for (int column = 1; column <= other.length(); column++) {
				int change = diagonal + ((one.charAt(row - 1) == other.charAt(column - 1)) ? 0 : 1);
				diagonal = costs[column];
				costs[column] = Math.min(change, 1 + Math.min(costs[column - 1], costs[column]));
			}
		}
		return costs[other.length()];
	}

}
