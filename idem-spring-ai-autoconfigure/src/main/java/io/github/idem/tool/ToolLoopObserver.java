package io.github.idem.tool;

import reactor.core.publisher.Flux;

import org.springframework.ai.chat.client.ChatClientMessageAggregator;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.core.Ordered;

/**
 * Stands inside any tool loop, next to the model, and learns the ids of the calls the
 * model asks for. That is what a tool loop leaves us that brings a manager of its own.
 */
final class ToolLoopObserver implements CallAdvisor, StreamAdvisor {

	private static final ChatClientMessageAggregator AGGREGATOR = new ChatClientMessageAggregator();

	@Override
	public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
		ChatClientResponse response = chain.nextCall(request);
		if (request.context().get(ToolLoop.KEY) instanceof ToolLoop loop) {
			observe(loop, response);
		}
		return response;
	}

	@Override
	public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
		Flux<ChatClientResponse> responses = chain.nextStream(request);
		return (request.context().get(ToolLoop.KEY) instanceof ToolLoop loop)
				? AGGREGATOR.aggregateChatClientResponse(responses, (response) -> observe(loop, response)) : responses;
	}

	private static void observe(ToolLoop loop, ChatClientResponse response) {
		ChatResponse chatResponse = response.chatResponse();
		AssistantMessage message = (chatResponse != null) ? ToolCallRound.messageWithToolCalls(chatResponse) : null;
		if (message != null) {
			loop.observe(message);
		}
	}

	@Override
	public String getName() {
		return "idem tool loop observer";
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE - 1;
	}

}
