package io.github.idem;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The protected call that the current thread is inside of. Bound around the tool's body
 * and restored afterwards, so a tool that calls another agent finds its own call again;
 * not inherited by other threads.
 */
public abstract class IdempotentCall {

	/** Key of the request id in a {@code ToolContext}; its value is a {@code String}. */
	public static final String REQUEST_ID = "request_id";

	/** Key of the task id in a {@code ToolContext}; its value is a {@code String}. */
	public static final String TASK_ID = "task_id";

	/**
	 * Key of the tool call id in a {@code ToolContext}; its value is a {@code String}.
	 */
	public static final String TOOL_CALL_ID = "tool_call_id";

	private static final ThreadLocal<@Nullable IdempotentCall> CURRENT = new ThreadLocal<>();

	/**
	 * For the engine, whose calls extend this class.
	 */
	protected IdempotentCall() {
	}

	/**
	 * The call whose tool body this thread is running.
	 * @return the call, or empty outside a protected tool
	 */
	public static Optional<IdempotentCall> current() {
		return Optional.ofNullable(CURRENT.get());
	}

	/**
	 * The id to give to downstream: the same for every attempt of this operation.
	 * @return at most 255 visible ASCII characters
	 */
	public abstract String requestId();

	/**
	 * The task this call belongs to.
	 * @return the task id
	 */
	public abstract String taskId();

	/**
	 * The model's id of this call.
	 * @return the tool call id; empty if the model gave none
	 */
	public abstract String toolCallId();

	/**
	 * The name of the tool.
	 * @return the tool name
	 */
	public abstract String tool();

	/**
	 * Which attempt of the operation this is.
	 * @return 1 for the first
	 */
	public abstract int attempt();

	/**
	 * Say that the effect may happen from here on. For a tool with
	 * {@link EffectBoundary#MARKED}: an attempt that fails before this was called
	 * definitely changed nothing. May be called more than once, from any thread.
	 */
	public abstract void beforeEffect();

	/**
	 * Make this call the current one of this thread until the scope is closed.
	 * @return closes back to the call that was current before
	 */
	protected final Scope bind() {
		IdempotentCall outer = CURRENT.get();
		CURRENT.set(this);
		return () -> {
			if (outer != null) {
				CURRENT.set(outer);
			}
			else {
				CURRENT.remove();
			}
		};
	}

	/** Ends a binding. */
	@FunctionalInterface
	protected interface Scope {

		/** Make the outer call, if any, the current one again. */
		void close();

	}

}
