package io.github.idem.http;

import java.net.URI;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.idem.SentRequest;
import io.github.idem.operation.RunningCall;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpRequestDecorator;
import org.springframework.http.client.reactive.ClientHttpResponse;

/**
 * Sends an attempt's unsafe requests once, and everything else as before. A redirect that
 * is followed writes the request again, which is counted.
 */
final class SingleSendConnector implements ClientHttpConnector {

	private final ClientHttpConnector others;

	private final SingleSend.Lazy<ClientHttpConnector> once;

	private final boolean follows;

	/**
	 * Create a connector.
	 * @param others the connector for everything else
	 * @param once makes one that neither repeats requests nor follows redirects
	 * @param follows whether redirects are to be followed
	 */
	SingleSendConnector(ClientHttpConnector others, Supplier<ClientHttpConnector> once, boolean follows) {
		this.others = others;
		this.once = new SingleSend.Lazy<>(once);
		this.follows = follows;
	}

	@Override
	public Mono<ClientHttpResponse> connect(HttpMethod method, URI uri,
			Function<? super ClientHttpRequest, Mono<Void>> writer) {
		RunningCall call = RunningCall.ofThisThread().orElse(null);
		if (call == null || !SentRequest.begun(method.name()).unsafe()) {
			return this.others.connect(method, uri, writer);
		}
		HttpHeaders sent = new HttpHeaders();
		Mono<ClientHttpResponse> response = this.once.get().connect(method, uri, (request) -> {
			request.beforeCommit(() -> Mono.fromRunnable(() -> sent.putAll(request.getHeaders())));
			return writer.apply(request);
		});
		return this.follows ? response.flatMap((answer) -> follow(call, method, uri, sent, writer, answer)) : response;
	}

	private Mono<ClientHttpResponse> follow(RunningCall call, HttpMethod method, URI uri, HttpHeaders headers,
			Function<? super ClientHttpRequest, Mono<Void>> writer, ClientHttpResponse answer) {
		Redirect redirect = Redirect.of(uri, method, headers, answer.getStatusCode().value(),
				answer.getHeaders().getFirst(HttpHeaders.LOCATION), true);
		if (redirect == null) {
			return Mono.just(answer);
		}
		return answer.getBody().doOnNext(DataBufferUtils::release).then(Mono.defer(() -> {
			if (redirect.sameMethod()) {
				call.send(redirect.method().name());
			}
			return this.others.connect(redirect.method(), redirect.location(),
					(request) -> writer.apply(new Redirected(request, redirect)));
		}));
	}

	/** The request as the redirect wants it. */
	private static final class Redirected extends ClientHttpRequestDecorator {

		private final Redirect redirect;

		Redirected(ClientHttpRequest request, Redirect redirect) {
			super(request);
			this.redirect = redirect;
			beforeCommit(() -> Mono.fromRunnable(this::onlyWhatIsKept));
		}

		private void onlyWhatIsKept() {
			getHeaders().headerNames().forEach((name) -> {
				if (!this.redirect.headers().containsHeader(name)) {
					getHeaders().remove(name);
				}
			});
			if (!this.redirect.sameHost()) {
				getCookies().clear();
			}
		}

		@Override
		public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
			return this.redirect.sameMethod() ? super.writeWith(body) : setComplete();
		}

		@Override
		public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
			return this.redirect.sameMethod() ? super.writeAndFlushWith(body) : setComplete();
		}

	}

}
