package io.github.idem.tool;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Supplier;

import io.github.idem.IdempotencyException;
import io.github.idem.operation.IdempotentExecutor;
import io.github.idem.operation.ToolPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.tool.ToolCallback;

/**
 * What an application protects its tools with: which of them, and by which engine. Every
 * way a tool can be reached asks here.
 */
public final class ToolProtection implements AutoCloseable {

	private static final Deque<ToolProtection> RUNNING = new ConcurrentLinkedDeque<>();

	private final ToolPolicies policies;

	private final Supplier<IdempotentExecutor> executor;

	/**
	 * Protect the tools of an application, until closed.
	 * @param policies which tools, and how
	 * @param executor the engine; asked for at the first protected call, and throws if
	 * there is none
	 */
	public ToolProtection(ToolPolicies policies, Supplier<IdempotentExecutor> executor) {
		this.policies = policies;
		this.executor = executor;
		RUNNING.addFirst(this);
	}

	/**
	 * Wrap a tool if it is to be protected.
	 * @param loop the tool loop it will be called in; one that is wrapped already moves
	 * there
	 * @return the wrapped tool, or {@code null} to leave it as it is: it has no settings
	 */
	@Nullable IdempotentToolCallback protect(ToolCallback callback, Supplier<ToolLoop> loop) {
		if (callback instanceof IdempotentToolCallback wrapped) {
			return wrapped.in(loop.get());
		}
		ToolPolicy policy = this.policies.find(callback);
		return (policy != null) ? new IdempotentToolCallback(callback, () -> policy, this.executor, loop.get(), null)
				: null;
	}

	/**
	 * Wrap a tool that is to be protected whatever its settings, by the application that
	 * will be running when it is called.
	 */
	static ToolCallback protectLater(ToolCallback callback) {
		return (callback instanceof IdempotentToolCallback) ? callback
				: new IdempotentToolCallback(callback, () -> running(callback).policies.findOrDefault(callback),
						() -> running(callback).executor.get(), new ToolLoop(0, null), null);
	}

	private static ToolProtection running(ToolCallback callback) {
		ToolProtection latest = RUNNING.peekFirst();
		if (latest == null) {
			throw new IdempotencyException(
					"""
							Tool '%s' was wrapped by IdempotentTools.wrap, but no application with idem is running, so it was not \
							entered. Call it after the application has started, and check that idem.enabled is not false."""
						.formatted(callback.getToolDefinition().name()));
		}
		return latest;
	}

	@Override
	public void close() {
		RUNNING.remove(this);
	}

}
