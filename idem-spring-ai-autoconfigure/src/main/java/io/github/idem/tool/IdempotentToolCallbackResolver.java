package io.github.idem.tool;

import java.util.function.Supplier;

import io.github.idem.operation.IdempotentExecutor;
import io.github.idem.operation.ToolPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.resolution.ToolCallbackResolver;

/**
 * Stands before a {@link ToolCallbackResolver}, for managers that run tools a request did
 * not name. Resolves nothing early: tools of an MCP server are asked for over the
 * network.
 */
final class IdempotentToolCallbackResolver implements ToolCallbackResolver {

	private final ToolCallbackResolver delegate;

	private final ToolPolicies policies;

	private final Supplier<IdempotentExecutor> executor;

	IdempotentToolCallbackResolver(ToolCallbackResolver delegate, ToolPolicies policies,
			Supplier<IdempotentExecutor> executor) {
		this.delegate = delegate;
		this.policies = policies;
		this.executor = executor;
	}

	@Override
	public @Nullable ToolCallback resolve(String toolName) {
		ToolCallback callback = this.delegate.resolve(toolName);
		ToolPolicy policy = (callback != null) ? this.policies.find(callback) : null;
		return (callback != null && policy != null)
				? new IdempotentToolCallback(callback, policy, this.executor, new ToolLoop(0), null) : callback;
	}

}
