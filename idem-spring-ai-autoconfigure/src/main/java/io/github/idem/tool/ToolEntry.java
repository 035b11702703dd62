package io.github.idem.tool;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import io.github.idem.IdempotentCall;
import io.github.idem.operation.RunningCall;
import io.github.idem.operation.ToolBody;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.execution.ToolExecutionException;

/**
 * The way into a Spring AI tool: injects the three ids, and tells what the tool itself
 * threw.
 */
final class ToolEntry implements ToolBody {

	private final EnteredTool tool;

	private final Map<String, Object> context;

	private final EntryMark.@Nullable Mark mark;

	private final long strangersBefore;

	/**
	 * Create a way in.
	 * @param tool the tool
	 * @param context what the application gave its tools
	 */
	ToolEntry(ToolCallback tool, Map<String, Object> context) {
		this.tool = new EnteredTool(tool);
		this.context = context;
		this.mark = mark(tool);
		this.strangersBefore = (this.mark != null) ? this.mark.strangers() : 0;
	}

	@Override
	public @Nullable String run(IdempotentCall call, String arguments) {
		Map<String, Object> injected = new HashMap<>(this.context);
		injected.put(IdempotentCall.REQUEST_ID, call.requestId());
		injected.put(IdempotentCall.TASK_ID, call.taskId());
		injected.put(IdempotentCall.TOOL_CALL_ID, call.toolCallId());
		return this.tool.call(arguments, new ToolContext(injected));
	}

	@Override
	public Throwable reason(Throwable thrown) {
		Throwable cause = thrown.getCause();
		return (thrown instanceof ToolExecutionException wrapping && cause != null && this.tool.isOwn(wrapping)) ? cause
				: thrown;
	}

	/**
	 * Certain only for a bean behind proxies that we could put a mark behind. An advice
	 * that has another thread enter the method may do so at any time.
	 */
	@Override
	public boolean neverEntered(RunningCall call, Throwable thrown) {
		return this.mark != null && !call.isToolEntered() && this.mark.strangers() == this.strangersBefore
				&& !fromAnotherThread(thrown);
	}

	private static EntryMark.@Nullable Mark mark(ToolCallback tool) {
		Method method = ToolMethods.of(tool);
		Object object = (method != null) ? ToolMethods.toolObject(tool, method) : null;
		return (object != null) ? EntryMark.of(object) : null;
	}

	private static boolean fromAnotherThread(Throwable thrown) {
		Set<Throwable> seen = new HashSet<>();
		for (Throwable current = thrown; current != null && seen.add(current); current = current.getCause()) {
			if (current.getClass().getName().startsWith("java.util.concurrent.")) {
				return true;
			}
		}
		return false;
	}

}
