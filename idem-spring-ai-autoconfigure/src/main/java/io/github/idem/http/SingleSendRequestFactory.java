package io.github.idem.http;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.function.Supplier;

import io.github.idem.SentRequest;
import io.github.idem.operation.RunningCall;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.AbstractClientHttpRequest;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.util.FastByteArrayOutputStream;

/** Sends an attempt's unsafe requests once, and everything else as before. */
final class SingleSendRequestFactory implements ClientHttpRequestFactory, DisposableBean {

	private final ClientHttpRequestFactory others;

	private final SingleSend.Lazy<ClientHttpRequestFactory> once;

	private final boolean follows;

	private final boolean postBecomesGet;

	/**
	 * Create a factory.
	 * @param others the factory for everything else
	 * @param once makes one that neither repeats requests nor follows redirects
	 * @param follows whether redirects are to be followed
	 * @param postBecomesGet whether a POST that is moved becomes a GET
	 */
	SingleSendRequestFactory(ClientHttpRequestFactory others, Supplier<ClientHttpRequestFactory> once, boolean follows,
			boolean postBecomesGet) {
		this.others = others;
		this.once = new SingleSend.Lazy<>(once);
		this.follows = follows;
		this.postBecomesGet = postBecomesGet;
	}

	@Override
	public ClientHttpRequest createRequest(URI uri, HttpMethod method) throws IOException {
		boolean single = SentRequest.begun(method.name()).unsafe() && RunningCall.ofThisThread().isPresent();
		if (!single) {
			return this.others.createRequest(uri, method);
		}
		return this.follows ? new Request(uri, method) : this.once.get().createRequest(uri, method);
	}

	@Override
	public void destroy() throws Exception {
		destroy(this.others);
		destroy(this.once.ifMade());
	}

	private static void destroy(@Nullable ClientHttpRequestFactory factory) throws Exception {
		if (factory instanceof DisposableBean disposable) {
			disposable.destroy();
		}
	}

	/** Follows redirects where that is seen. */
	private final class Request extends AbstractClientHttpRequest {

		private final URI uri;

		private final HttpMethod method;

		private final FastByteArrayOutputStream body = new FastByteArrayOutputStream();

		Request(URI uri, HttpMethod method) {
			this.uri = uri;
			this.method = method;
		}

		@Override
		public HttpMethod getMethod() {
			return this.method;
		}

		@Override
		public URI getURI() {
			return this.uri;
		}

		@Override
		protected OutputStream getBodyInternal(HttpHeaders headers) {
			return this.body;
		}

		@Override
		protected ClientHttpResponse executeInternal(HttpHeaders headers) throws IOException {
			ClientHttpResponse response = send(SingleSendRequestFactory.this.once.get(), this.uri, this.method, headers,
					true);
			Redirect redirect = Redirect.of(this.uri, this.method, headers, response.getStatusCode().value(),
					response.getHeaders().getFirst(HttpHeaders.LOCATION), SingleSendRequestFactory.this.postBecomesGet);
			if (redirect == null) {
				return response;
			}
			response.close();
			if (getAttributes().get(ObservingInterceptor.SENDING) instanceof RunningCall.Sending sending) {
				sending.forwarded();
			}
			if (redirect.sameMethod()) {
				RunningCall.ofThisThread().ifPresent((call) -> call.send(redirect.method().name()));
			}
			return send(SingleSendRequestFactory.this.others, redirect.location(), redirect.method(),
					redirect.headers(), redirect.sameMethod());
		}

		private ClientHttpResponse send(ClientHttpRequestFactory factory, URI target, HttpMethod with,
				HttpHeaders headers, boolean withBody) throws IOException {
			ClientHttpRequest request = factory.createRequest(target, with);
			request.getHeaders().putAll(headers);
			if (withBody && this.body.size() > 0) {
				this.body.writeTo(request.getBody());
			}
			return request.execute();
		}

	}

}
