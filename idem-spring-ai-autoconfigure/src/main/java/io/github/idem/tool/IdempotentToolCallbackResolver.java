package io.github.idem.tool;

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

	private final ToolProtection protection;

	IdempotentToolCallbackResolver(ToolCallbackResolver delegate, ToolProtection protection) {
		this.delegate = delegate;
		this.protection = protection;
	}

	@Override
	public @Nullable ToolCallback resolve(String toolName) {
		ToolCallback callback = this.delegate.resolve(toolName);
		ToolCallback protecting = (callback != null) ? this.protection.protect(callback, () -> new ToolLoop(0, null))
				: null;
		return (protecting != null) ? protecting : callback;
	}

}
