package io.github.idem.http;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.idem.SentRequest;
import io.github.idem.operation.RunningCall;
import io.github.idem.operation.UnattributedRequests;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Reports what a tool sends through a {@code RestClient} or a {@code RestTemplate}. An
 * attempt whose lease is over sends nothing.
 */
public final class ObservingInterceptor implements ClientHttpRequestInterceptor {

	private final UnattributedRequests unattributed;

	/**
	 * Create an interceptor.
	 * @param unattributed counts what no attempt is known to have sent
	 */
	public ObservingInterceptor(UnattributedRequests unattributed) {
		this.unattributed = unattributed;
	}

	@Override
	public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
			throws IOException {
		String method = request.getMethod().name();
		RunningCall call = RunningCall.ofThisThread().orElse(null);
		if (call == null) {
			if (SentRequest.begun(method).unsafe()) {
				this.unattributed.begun();
			}
			return execution.execute(request, body);
		}
		RunningCall.Sending sending = call.send(method);
		CountedRequest counted = new CountedRequest(request);
		try {
			ClientHttpResponse response = execution.execute(counted, body);
			sending.ended(Fates.answered(method, response.getStatusCode().value(),
					response.getHeaders().getFirst(HttpHeaders.RETRY_AFTER), counted.sentOnce()));
			return response;
		}
		catch (IOException | RuntimeException ex) {
			sending.ended(Fates.failed(method, ex, counted.sentOnce()));
			throw ex;
		}
	}

	/**
	 * Interceptors inside this one may send a request several times. The end of their
	 * chain reads the attributes once each time it sends; whoever else reads them makes
	 * the fate of the request less certain, never more.
	 */
	private static final class CountedRequest implements HttpRequest {

		private final HttpRequest request;

		private final AtomicInteger sent = new AtomicInteger();

		CountedRequest(HttpRequest request) {
			this.request = request;
		}

		boolean sentOnce() {
			return this.sent.get() == 1;
		}

		@Override
		public HttpMethod getMethod() {
			return this.request.getMethod();
		}

		@Override
		public URI getURI() {
			return this.request.getURI();
		}

		@Override
		public Map<String, Object> getAttributes() {
			this.sent.incrementAndGet();
			return this.request.getAttributes();
		}

		@Override
		public HttpHeaders getHeaders() {
			return this.request.getHeaders();
		}

	}

}
