package io.github.idem.tool;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;

/**
 * One pass through a tool loop. Travels with the wrapped tools and in the request's
 * context, since each round of a stream runs on another thread.
 */
final class ToolLoop {

	/** Where the loop is found in a request's context. */
	static final String KEY = ToolLoop.class.getName();

	private final int roundsBefore;

	private final List<Message> observed = new ArrayList<>();

	private @Nullable ToolCallRound latest;

	/**
	 * Begin a loop.
	 * @param roundsBefore how many messages with tool calls the conversation had before
	 */
	ToolLoop(int roundsBefore) {
		this.roundsBefore = roundsBefore;
	}

	/** The round of a message whose whole conversation is known. */
	ToolCallRound round(List<Message> conversation, AssistantMessage message) {
		return new ToolCallRound(conversation, this.roundsBefore, message);
	}

	/**
	 * The model asked for tools. What the loop said before is remembered here: a
	 * conversation inside the loop may have been cut short.
	 */
	synchronized void observe(AssistantMessage message) {
		this.latest = new ToolCallRound(List.copyOf(this.observed), 0, message);
		this.observed.add(message);
	}

	/** The round the model asked for last. */
	synchronized @Nullable ToolCallRound latest() {
		return this.latest;
	}

}
