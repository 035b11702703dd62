package io.github.idem.tool;

import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Supplier;

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
			wrapped.offeredBy(this);
			return wrapped.in(loop.get());
		}
		ToolPolicy policy = this.policies.find(callback);
		return (policy != null)
				? new IdempotentToolCallback(callback, new Known(policy, this.executor), loop.get(), null) : null;
	}

	/**
	 * Wrap a tool that is to be protected whatever its settings, by an application that
	 * will be running when it is called.
	 */
	static ToolCallback protectLater(ToolCallback callback) {
		return (callback instanceof IdempotentToolCallback) ? callback
				: new IdempotentToolCallback(callback, new LateBinding(callback), new ToolLoop(0, null), null);
	}

	/** The applications that are running, the one that started last first. */
	static List<ToolProtection> running() {
		return List.copyOf(RUNNING);
	}

	/**
	 * The settings of a tool that is protected in any case: the defaults, if it has none.
	 */
	ToolPolicy policyOrDefault(ToolCallback callback) {
		return this.policies.findOrDefault(callback);
	}

	/** The engine. */
	IdempotentExecutor executor() {
		return this.executor.get();
	}

	@Override
	public void close() {
		RUNNING.remove(this);
	}

	/**
	 * An application whose settings were looked up already.
	 *
	 * @param policy how the tool is protected
	 * @param engine by what
	 */
	private record Known(ToolPolicy policy,
			Supplier<IdempotentExecutor> engine) implements IdempotentToolCallback.Application {

		@Override
		public IdempotentExecutor executor() {
			return this.engine.get();
		}

	}

}
