package io.github.idem.tool;

import reactor.core.publisher.Flux;

import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;

/** Throws the first answer away and asks again. */
record Repeating(int order) implements CallAdvisor, StreamAdvisor {

	@Override
	public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
		chain.copy(this).nextCall(request);
		return chain.copy(this).nextCall(request);
	}

	@Override
	public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
		return chain.copy(this)
			.nextStream(request)
			.ignoreElements()
			.thenMany(Flux.defer(() -> chain.copy(this).nextStream(request)));
	}

	@Override
	public String getName() {
		return "repeating";
	}

	@Override
	public int getOrder() {
		return this.order;
	}

}
