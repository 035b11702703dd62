package io.github.idem.tool;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.support.ToolUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * The tools that are known at start-up: tool methods of beans, and tools that are beans
 * or come from providers that are. Those of plain objects are not; nor are those of MCP
 * servers, which would have to be asked for over the network.
 */
public final class KnownTools {

	private static final Set<String> MCP_PROVIDERS = Set.of("org.springframework.ai.mcp.SyncMcpToolCallbackProvider",
			"org.springframework.ai.mcp.AsyncMcpToolCallbackProvider");

	private final ToolBeans beans;

	private final ObjectProvider<ToolCallback> callbacks;

	private final ObjectProvider<ToolCallbackProvider> providers;

	/**
	 * Collect tools.
	 * @param beans beans with tool methods
	 * @param callbacks tools that are beans themselves
	 * @param providers beans that provide tools
	 */
	public KnownTools(ToolBeans beans, ObjectProvider<ToolCallback> callbacks,
			ObjectProvider<ToolCallbackProvider> providers) {
		this.beans = beans;
		this.callbacks = callbacks;
		this.providers = providers;
	}

	/** All of them; a tool that can be reached in two ways is named by its bean. */
	List<KnownTool> all() {
		List<KnownTool> known = new ArrayList<>();
		for (ToolBeans.ToolBean bean : this.beans.tools()) {
			for (Method method : bean.methods()) {
				known.add(ofMethod(bean, method));
			}
		}
		Stream<ToolCallback> provided = this.providers.stream()
			.filter((provider) -> !isMcp(provider))
			.flatMap((provider) -> Stream.of(provider.getToolCallbacks()));
		Stream.concat(this.callbacks.stream(), provided)
			.filter((callback) -> known.stream().noneMatch((tool) -> tool.is(callback)))
			.forEach((callback) -> known.add(ofCallback(callback)));
		return known;
	}

	private static KnownTool ofMethod(ToolBeans.ToolBean bean, Method method) {
		Tool tool = AnnotatedElementUtils.findMergedAnnotation(method, Tool.class);
		return new KnownTool("bean '%s', %s".formatted(bean.name(), ToolMethods.describe(method)), bean.name(),
				ToolUtils.getToolName(method), (tool != null) ? tool.description() : "", method, null);
	}

	private static KnownTool ofCallback(ToolCallback callback) {
		Method method = ToolMethods.of(ToolMethods.undecorated(callback));
		return new KnownTool(
				(method != null) ? ToolMethods.describe(method) : ClassUtils.getShortName(callback.getClass()), null,
				callback.getToolDefinition().name(), callback.getToolDefinition().description(), method, callback);
	}

	private static boolean isMcp(ToolCallbackProvider provider) {
		for (Class<?> type = provider.getClass(); type != null; type = type.getSuperclass()) {
			if (MCP_PROVIDERS.contains(type.getName())) {
				return true;
			}
		}
		return false;
	}

}
