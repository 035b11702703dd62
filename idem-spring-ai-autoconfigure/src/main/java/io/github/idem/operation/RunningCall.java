package io.github.idem.operation;

import io.github.idem.IdempotentCall;
import io.github.idem.Operation;
import org.jspecify.annotations.Nullable;

/** A granted attempt, as the tool sees it. */
final class RunningCall extends IdempotentCall {

	private final Operation operation;

	private final String toolCallId;

	RunningCall(Operation operation, String toolCallId) {
		this.operation = operation;
		this.toolCallId = toolCallId;
	}

	/** Enter the tool with this call bound to the thread. */
	@Nullable String enter(ToolBody body, String arguments) {
		Scope scope = bind();
		try {
			return body.run(this, arguments);
		}
		finally {
			scope.close();
		}
	}

	@Override
	public String requestId() {
		return this.operation.requestId();
	}

	@Override
	public String taskId() {
		return this.operation.taskId();
	}

	@Override
	public String toolCallId() {
		return this.toolCallId;
	}

	@Override
	public String tool() {
		return this.operation.tool();
	}

	@Override
	public int attempt() {
		return this.operation.attempt();
	}

}
