package io.github.idem.tool;

import java.util.Map;

import io.github.idem.operation.CallBinder;
import io.github.idem.operation.IncomingCall;
import org.jspecify.annotations.Nullable;

/**
 * Binds a tool's arguments and finds its business key in what was bound.
 *
 * @param converter how arguments become values
 * @param key the business key, if the tool has one
 */
record ToolBinding(ArgumentConverter converter, @Nullable KeyExpression key) implements CallBinder {

	@Override
	public @Nullable String bind(IncomingCall call, String json) {
		Map<String, @Nullable Object> arguments = this.converter.convert(json);
		return (this.key != null) ? this.key.evaluate(arguments, call.taskId(), call.toolContext()) : null;
	}

}
