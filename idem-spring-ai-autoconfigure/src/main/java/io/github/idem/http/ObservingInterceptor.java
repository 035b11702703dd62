package io.github.idem.http;

import java.io.IOException;
import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

import io.github.idem.SentRequest;
import io.github.idem.operation.RunningCall;
import io.github.idem.operation.UnattributedRequests;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.support.HttpRequestWrapper;

/**
 * Reports what a tool sends through a {@code RestClient} or a {@code RestTemplate}. An
 * attempt whose lease is over sends nothing.
 */
public final class ObservingInterceptor implements ClientHttpRequestInterceptor {

	/** The attribute under which a request carries what is known of it. */
	static final String SENDING = ObservingInterceptor.class.getName() + ".sending";

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
		counted.getAttributes().put(SENDING, sending);
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
	 * chain goes over the attributes once each time it sends, also those of a copy that
	 * an interceptor made around them. Whoever else does so, or copies the attributes
	 * too, makes the fate of the request less certain.
	 */
	private static final class CountedRequest extends HttpRequestWrapper {

		private final CountedAttributes attributes;

		CountedRequest(HttpRequest request) {
			super(request);
			this.attributes = new CountedAttributes(request.getAttributes());
		}

		boolean sentOnce() {
			return this.attributes.sent.get() == 1;
		}

		@Override
		public Map<String, Object> getAttributes() {
			return this.attributes;
		}

	}

	private static final class CountedAttributes extends AbstractMap<String, Object> {

		private final Map<String, Object> attributes;

		private final AtomicInteger sent = new AtomicInteger();

		CountedAttributes(Map<String, Object> attributes) {
			this.attributes = attributes;
		}

		@Override
		public void forEach(BiConsumer<? super String, ? super Object> action) {
			this.sent.incrementAndGet();
			this.attributes.forEach(action);
		}

		@Override
		public Set<Map.Entry<String, Object>> entrySet() {
			return this.attributes.entrySet();
		}

		@Override
		public @Nullable Object put(String key, Object value) {
			return this.attributes.put(key, value);
		}

	}

}
