package io.github.idem.http;

import java.util.concurrent.atomic.AtomicInteger;

import io.github.idem.SentRequest;
import io.github.idem.operation.RunningCall;
import io.github.idem.operation.UnattributedRequests;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;

/**
 * Reports what a tool sends through a {@code WebClient} whose result it waits for on its
 * own thread. An attempt whose lease is over sends nothing.
 */
public final class ObservingFilter implements ExchangeFilterFunction {

	private final UnattributedRequests unattributed;

	/**
	 * Create a filter.
	 * @param unattributed counts what no attempt is known to have sent
	 */
	public ObservingFilter(UnattributedRequests unattributed) {
		this.unattributed = unattributed;
	}

	@Override
	public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
		String method = request.method().name();
		RunningCall call = RunningCall.ofThisThread().orElse(null);
		if (call == null) {
			if (SentRequest.begun(method).unsafe()) {
				this.unattributed.begun();
			}
			return next.exchange(request);
		}
		RunningCall.Sending sending = call.send(method);
		AtomicInteger sent = new AtomicInteger();
		ClientRequest counted = ClientRequest.from(request).body((output, context) -> {
			sent.incrementAndGet();
			return request.body().insert(output, context);
		}).build();
		return next.exchange(counted)
			.doOnNext((response) -> sending.ended(Fates.answered(method, response.statusCode().value(),
					response.headers().asHttpHeaders().getFirst(HttpHeaders.RETRY_AFTER), sent.get() == 1)))
			.doOnError((failure) -> sending.ended(Fates.failed(method, failure, sent.get() <= 1)));
	}

}
