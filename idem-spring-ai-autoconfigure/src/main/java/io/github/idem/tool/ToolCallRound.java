package io.github.idem.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.github.idem.operation.LoopPosition;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.util.StringUtils;

/**
 * One assistant message with tool calls, on its way through a tool calling manager. The
 * manager shows a tool its arguments but not the id of the call, so each call is bound to
 * its place in the message by name and arguments, then in order: limits can skip calls,
 * and a manager may run them in parallel.
 * <p>
 * Safe for concurrent use.
 */
final class ToolCallRound {

	private static final ThreadLocal<@Nullable ToolCallRound> CURRENT = new ThreadLocal<>();

	private final List<Message> conversation;

	private final int roundsBefore;

	private final Set<AssistantMessage.ToolCall> declined;

	private final AssistantMessage message;

	private final List<AssistantMessage.ToolCall> open;

	/**
	 * Create a round.
	 * @param conversation what was said before the message
	 * @param roundsBefore how many messages with tool calls in it came before the tool
	 * loop
	 * @param declined calls of the loop that definitely took no effect; added to by this
	 * round
	 * @param message the message with the tool calls
	 */
	ToolCallRound(List<Message> conversation, int roundsBefore, Set<AssistantMessage.ToolCall> declined,
			AssistantMessage message) {
		this.conversation = conversation;
		this.roundsBefore = roundsBefore;
		this.declined = declined;
		this.message = message;
		this.open = new ArrayList<>(message.getToolCalls());
	}

	/**
	 * Take the call that is being made: the first open one with these arguments, or else
	 * the first open one of this tool, or else one that was made before.
	 * @return the call; an unknown one if the message asks for no such tool
	 */
	synchronized Slot take(String tool, String arguments) {
		Predicate<AssistantMessage.ToolCall> sameTool = (call) -> tool.equals(call.name());
		Predicate<AssistantMessage.ToolCall> sameCall = sameTool.and((call) -> arguments.equals(arguments(call)));
		AssistantMessage.ToolCall call = first(this.open, sameCall);
		if (call == null) {
			call = first(this.open, sameTool);
		}
		if (call == null) {
			call = first(this.message.getToolCalls(), sameCall);
		}
		if (call == null) {
			return Slot.UNKNOWN;
		}
		removeInstance(this.open, call);
		AssistantMessage.ToolCall taken = call;
		return new Slot(id(taken), () -> callsUpTo(taken), () -> this.declined.add(taken));
	}

	/** Whether a call of the message was made. */
	synchronized boolean begun() {
		return this.open.size() < this.message.getToolCalls().size();
	}

	/** The message with the tool calls. */
	AssistantMessage message() {
		return this.message;
	}

	/**
	 * What counts as said before a call: not what was declined, whose place the next one
	 * takes.
	 */
	private List<LoopPosition.Call> callsUpTo(AssistantMessage.ToolCall last) {
		List<LoopPosition.Call> calls = new ArrayList<>();
		int round = 0;
		for (Message earlier : this.conversation) {
			if (!(earlier instanceof AssistantMessage assistant) || !assistant.hasToolCalls()) {
				continue;
			}
			if (round >= this.roundsBefore) {
				for (AssistantMessage.ToolCall call : assistant.getToolCalls()) {
					add(calls, round, call, last);
				}
			}
			round++;
		}
		for (AssistantMessage.ToolCall call : this.message.getToolCalls()) {
			add(calls, round, call, last);
			if (call == last) {
				break;
			}
		}
		return calls;
	}

	/**
	 * The round that a manager is running on this thread; for tools that it finds by
	 * itself, which nobody could wrap for the round.
	 */
	static @Nullable ToolCallRound current() {
		return CURRENT.get();
	}

	/** Run a manager with this as the current round. */
	<T> T run(Supplier<T> manager) {
		ToolCallRound outer = CURRENT.get();
		CURRENT.set(this);
		try {
			return manager.get();
		}
		finally {
			if (outer != null) {
				CURRENT.set(outer);
			}
			else {
				CURRENT.remove();
			}
		}
	}

	/** The message whose tools a manager will run. */
	static @Nullable AssistantMessage messageWithToolCalls(ChatResponse response) {
		for (Generation generation : response.getResults()) {
			if (generation.getOutput().hasToolCalls()) {
				return generation.getOutput();
			}
		}
		return null;
	}

	/** How many messages of a conversation have tool calls. */
	static int count(List<Message> conversation) {
		return (int) conversation.stream()
			.filter((message) -> message instanceof AssistantMessage assistant && assistant.hasToolCalls())
			.count();
	}

	private void add(List<LoopPosition.Call> calls, int round, AssistantMessage.ToolCall call,
			AssistantMessage.ToolCall last) {
		if (last.name().equals(call.name()) && (call == last || !this.declined.contains(call))) {
			calls.add(new LoopPosition.Call(round, id(call), arguments(call)));
		}
	}

	private static AssistantMessage.@Nullable ToolCall first(List<AssistantMessage.ToolCall> calls,
			Predicate<AssistantMessage.ToolCall> condition) {
		return calls.stream().filter(condition).findFirst().orElse(null);
	}

	/** Records with equal parts are equal: one of two equal calls must stay open. */
	private static void removeInstance(List<AssistantMessage.ToolCall> calls, AssistantMessage.ToolCall taken) {
		for (int index = 0; index < calls.size(); index++) {
			if (calls.get(index) == taken) {
				calls.remove(index);
				return;
			}
		}
	}

	@SuppressWarnings("NullAway") // declared non-null, but clients pass on what the model
									// left out
	private static String id(AssistantMessage.ToolCall call) {
		return (call.id() != null) ? call.id() : "";
	}

	/** Managers hand a tool {@code {}} for arguments that are missing or blank. */
	private static String arguments(AssistantMessage.ToolCall call) {
		return StringUtils.hasText(call.arguments()) ? call.arguments() : "{}";
	}

	/**
	 * The place of a call in its round.
	 *
	 * @param toolCallId the model's id; empty if it gave none
	 * @param position where the call stands in the tool loop
	 * @param declined to be run if the call definitely took no effect
	 */
	record Slot(String toolCallId, LoopPosition position, Runnable declined) {

		/** A call of which nothing is known but its arguments. */
		static final Slot UNKNOWN = new Slot("", LoopPosition.FIRST, () -> {
		});

	}

}
