package io.github.idem.tool;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.memory.ChatMemory;
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

	private final @Nullable String conversationId;

	private final List<Message> carriedOut = new ArrayList<>();

	/** Told apart by instance: two calls of one loop may be equal in every part. */
	private final Set<AssistantMessage.ToolCall> declined = Collections
		.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

	private @Nullable ToolCallRound latest;

	/**
	 * Begin a loop.
	 * @param roundsBefore how many messages with tool calls the conversation had before
	 * @param conversationId the conversation it is part of; {@code null} if it is not
	 * known
	 */
	ToolLoop(int roundsBefore, @Nullable String conversationId) {
		this.roundsBefore = roundsBefore;
		this.conversationId = conversationId;
	}

	/**
	 * The conversation of a context, as chat memory names it. Memory falls back to one id
	 * for everybody, which is none.
	 */
	static @Nullable String conversationId(Map<String, ? extends @Nullable Object> context) {
		return (context.get(ChatMemory.CONVERSATION_ID) instanceof String id && !id.isBlank() && !id.equals("default"))
				? id : null;
	}

	/** The conversation the loop is part of; {@code null} if it is not known. */
	@Nullable String conversationId() {
		return this.conversationId;
	}

	/** The round of a message whose whole conversation is known. */
	ToolCallRound round(List<Message> conversation, AssistantMessage message) {
		return new ToolCallRound(conversation, this.roundsBefore, this.declined, message);
	}

	/**
	 * The model asked for tools. What was carried out before is remembered here: a
	 * conversation inside the loop may have been cut short. What was not does not count:
	 * an advisor inside the loop may throw an answer away and ask again.
	 */
	synchronized void observe(AssistantMessage message) {
		if (this.latest != null && this.latest.begun()) {
			this.carriedOut.add(this.latest.message());
		}
		this.latest = new ToolCallRound(List.copyOf(this.carriedOut), 0, this.declined, message);
	}

	/** The round the model asked for last. */
	synchronized @Nullable ToolCallRound latest() {
		return this.latest;
	}

}
