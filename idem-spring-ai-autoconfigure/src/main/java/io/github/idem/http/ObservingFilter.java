package io.github.idem.http;

import io.github.idem.SentRequest;
import io.github.idem.operation.RunningCall;
import io.github.idem.operation.UnattributedRequests;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Reports what a tool sends through a {@code WebClient} whose result it waits for on its
 * own thread. An attempt whose lease is over sends nothing. Of what a pipeline sends
 * again on another thread it is reported that it was sent, not how it ended.
 */
public final class ObservingFilter implements ExchangeFilterFunction {

	private static final String ATTEMPT = ObservingFilter.class.getName() + ".attempt";

	private final UnattributedRequests unattributed;

	/**
	 * Create a filter.
	 * @param unattributed counts what no attempt is known to have sent
	 */
	public ObservingFilter(UnattributedRequests unattributed) {
		this.unattributed = unattributed;
	}

	/**
	 * Observe what a builder's clients send.
	 * @param builder the builder; nothing changes if this filter observes it already
	 */
	public void observe(WebClient.Builder builder) {
		builder.filters((filters) -> {
			if (!filters.contains(this)) {
				filters.add(this);
				builder.defaultRequest(ObservingFilter::rememberAttempt);
			}
		});
	}

	/**
	 * A request is begun on the tool's thread, but a pipeline that repeats it does so on
	 * another.
	 */
	private static void rememberAttempt(WebClient.RequestHeadersSpec<?> request) {
		RunningCall.ofThisThread().ifPresent((call) -> request.attribute(ATTEMPT, call));
	}

	@Override
	public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
		RunningCall call = RunningCall.ofThisThread().orElse(null);
		return (call != null) ? observed(call, request, next) : unattributed(request, next);
	}

	private Mono<ClientResponse> unattributed(ClientRequest request, ExchangeFunction next) {
		String method = request.method().name();
		if (SentRequest.begun(method).unsafe()) {
			this.unattributed.begun();
		}
		if (request.attributes().get(ATTEMPT) instanceof RunningCall call) {
			call.sendElsewhere(method);
		}
		return next.exchange(request);
	}

	private static Mono<ClientResponse> observed(RunningCall call, ClientRequest request, ExchangeFunction next) {
		String method = request.method().name();
		RunningCall.Sending sending = call.send(method);
		CountedBody counted = new CountedBody();
		return next.exchange(counted.in(request))
			.doOnNext((response) -> sending.ended(Fates.answered(method, response.statusCode().value(),
					response.headers().asHttpHeaders().getFirst(HttpHeaders.RETRY_AFTER), counted.sentOnce())))
			.doOnError((failure) -> sending.ended(Fates.failed(method, failure, counted.sentAtMostOnce())));
	}

}
