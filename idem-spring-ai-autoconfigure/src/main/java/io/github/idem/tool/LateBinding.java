package io.github.idem.tool;

import java.lang.ref.WeakReference;
import java.util.List;

import io.github.idem.IdempotencyException;
import io.github.idem.operation.IdempotentExecutor;
import io.github.idem.operation.ToolPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.tool.ToolCallback;

/**
 * The application of a tool that was wrapped by hand: the one whose client offers it, or
 * else the one that started last when it is first called. The tool stays with it while it
 * runs, whatever else starts meanwhile: the record of another knows nothing of its calls.
 */
final class LateBinding implements IdempotentToolCallback.Application {

	private final ToolCallback tool;

	private @Nullable WeakReference<ToolProtection> bound;

	LateBinding(ToolCallback tool) {
		this.tool = tool;
	}

	@Override
	public ToolPolicy policy() {
		return application().policyOrDefault(this.tool);
	}

	@Override
	public IdempotentExecutor executor() {
		return application().executor();
	}

	@Override
	public synchronized void offeredBy(ToolProtection client) {
		if (running() == null) {
			this.bound = new WeakReference<>(client);
		}
	}

	private synchronized ToolProtection application() {
		ToolProtection application = running();
		if (application == null) {
			application = choose();
			this.bound = new WeakReference<>(application);
		}
		return application;
	}

	private @Nullable ToolProtection running() {
		ToolProtection application = (this.bound != null) ? this.bound.get() : null;
		return (application != null && ToolProtection.running().contains(application)) ? application : null;
	}

	private ToolProtection choose() {
		List<ToolProtection> running = ToolProtection.running();
		if (running.isEmpty()) {
			throw new IdempotencyException(
					"""
							Tool '%s' was wrapped by IdempotentTools.wrap, but no application with idem is running, so it was not \
							entered. Call it after the application has started, and check that idem.enabled is not false."""
						.formatted(this.tool.getToolDefinition().name()));
		}
		if (this.bound != null && running.size() > 1) {
			throw new IdempotencyException(
					"""
							Tool '%s' was wrapped by IdempotentTools.wrap and belonged to an application that was closed. Several \
							others run, and which of them it belongs to now is not known, so it was not entered. Wrap it anew."""
						.formatted(this.tool.getToolDefinition().name()));
		}
		return running.get(0);
	}

}
