package io.github.idem.sample.standin;

import java.util.List;

/**
 * One answer of the scripted model.
 */
public sealed interface Answer {

	/** The last word of the model. */
	record Text(String text) implements Answer {
	}

	/** The model wants tools called, all in one message. */
	record ToolCalls(List<ToolCall> calls) implements Answer {

		public ToolCalls {
			calls = List.copyOf(calls);
		}

	}

	/**
	 * A tool call.
	 *
	 * @param arguments JSON exactly as the model wrote it
	 */
	record ToolCall(String id, String name, String arguments) {
	}

	static Answer says(String text) {
		return new Text(text);
	}

	static Answer calls(ToolCall... calls) {
		return new ToolCalls(List.of(calls));
	}

	static ToolCall call(String id, String name, String arguments) {
		return new ToolCall(id, name, arguments);
	}

}
