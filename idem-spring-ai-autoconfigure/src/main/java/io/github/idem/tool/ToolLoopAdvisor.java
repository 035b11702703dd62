package io.github.idem.tool;

import java.util.ArrayList;
import java.util.List;

import io.github.idem.IdempotencyException;
import reactor.core.publisher.Flux;

import org.springframework.ai.chat.client.ChatClientAttributes;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.ToolAdvisor;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;

/**
 * Stands directly outside the tool loop and wraps the protected tools each time the loop
 * is entered. The wrapped tools know where the loop began, so that repeats are counted
 * from there and not from whatever conversation the request brought along: the same
 * request made again lines up with its first run.
 */
final class ToolLoopAdvisor implements CallAdvisor, StreamAdvisor {

	private static final String LOOP_BEFORE = ToolLoopAdvisor.class.getName() + ".loopBefore";

	private final TaskIdAdvisor taskIds;

	private final ToolProtection protection;

	private final int order;

	/**
	 * Create the advisor.
	 * @param taskIds names the task, should the request have lost its name on the way
	 * here
	 * @param protection which tools are protected, and by what
	 * @param toolAdvisorOrder the order of the advisor that drives the tool loop
	 */
	ToolLoopAdvisor(TaskIdAdvisor taskIds, ToolProtection protection, int toolAdvisorOrder) {
		this.taskIds = taskIds;
		this.protection = protection;
		this.order = toolAdvisorOrder - 1;
	}

	@Override
	public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
		return chain.nextCall(protect(request, chain.getCallAdvisors()));
	}

	@Override
	public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
		return chain.nextStream(protect(request, chain.getStreamAdvisors()));
	}

	private ChatClientRequest protect(ChatClientRequest request, List<? extends Advisor> chain) {
		if (!(request.prompt().getOptions() instanceof ToolCallingChatOptions options)
				|| options.getToolCallbacks() == null) {
			return request;
		}
		ToolLoop loop = new ToolLoop(ToolCallRound.count(request.prompt().getInstructions()),
				ToolLoop.conversationId(request.context()));
		List<ToolCallback> wrapped = new ArrayList<>();
		boolean any = false;
		for (ToolCallback callback : options.getToolCallbacks()) {
			ToolCallback protecting = this.protection.protect(callback, () -> loop);
			wrapped.add((protecting != null) ? protecting : callback);
			any |= (protecting != null);
			if (protecting != null && !(callback instanceof IdempotentToolCallback)) {
				requireOutsideOfTheLoop(request, chain);
			}
		}
		if (!any) {
			return request;
		}
		ToolCallingChatOptions protecting = options.mutate().toolCallbacks(wrapped).build();
		return this.taskIds.withTaskId(request.mutate()
			.prompt(request.prompt().mutate().chatOptions(protecting).build())
			.context(ToolLoop.KEY, loop)
			.build());
	}

	/**
	 * Note that a tool loop stands before this advisor, where the chain still shows it.
	 */
	static ChatClientRequest noteLoopBefore(ChatClientRequest request, List<? extends Advisor> chain) {
		boolean loopBefore = chain.stream()
			.takeWhile((advisor) -> !(advisor instanceof ToolLoopAdvisor))
			.anyMatch(ToolAdvisor.class::isInstance);
		return loopBefore ? request.mutate().context(LOOP_BEFORE, true).build() : request;
	}

	/**
	 * Inside a tool loop it is too late: the loop has taken the tools as they were. A
	 * loop that runs already does not show in the chain it goes on with: it was noted
	 * before, or else is missing where one is registered automatically.
	 */
	private void requireOutsideOfTheLoop(ChatClientRequest request, List<? extends Advisor> chain) {
		List<? extends Advisor> inside = chain.subList(chain.indexOf(this) + 1, chain.size());
		boolean loopFollows = inside.stream().anyMatch(ToolAdvisor.class::isInstance);
		boolean drivenByTheApplication = Boolean.FALSE
			.equals(request.context().get(ChatClientAttributes.TOOL_CALLING_ADVISOR_AUTO_REGISTER.getKey()));
		boolean loopBefore = request.context().containsKey(LOOP_BEFORE);
		if (!loopFollows && (loopBefore || !drivenByTheApplication)) {
			throw new IdempotencyException(
					"""
							A ToolAdvisor of this chat client stands before idem's advisor, so its tools would run unprotected; the model \
							was not called. Give it an order above %d, such as .advisorOrder(%d), or set \
							spring.ai.chat.client.tool-calling.advisor-order to its order."""
						.formatted(this.order, this.order + 1));
		}
	}

	@Override
	public String getName() {
		return "idem tool loop";
	}

	@Override
	public int getOrder() {
		return this.order;
	}

}
