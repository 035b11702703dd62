package io.github.idem.http;

import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.web.reactive.function.BodyInserter;
import org.springframework.web.reactive.function.client.ClientRequest;

/**
 * Counts how often a {@code WebClient} sends a request, since filters inside ours may
 * repeat it, by another exchange or by subscribing to the same one again.
 * <ul>
 * <li>Each exchange writes the request, with whatever body it has by then.
 * <li>Each subscription to it subscribes to the body, if it still is the one we counted.
 * </ul>
 */
final class CountedBody {

	/** These write a request before they connect, Reactor Netty afterwards. */
	private static final Set<String> WRITTEN_BEFORE_CONNECTING = Set.of(
			"org.springframework.http.client.reactive.JdkClientHttpRequest",
			"org.springframework.http.client.reactive.JettyClientHttpRequest",
			"org.springframework.http.client.reactive.HttpComponentsClientHttpRequest");

	private final AtomicInteger written = new AtomicInteger();

	private final AtomicInteger subscribed = new AtomicInteger();

	private volatile boolean beforeConnecting;

	ClientRequest in(ClientRequest request) {
		BodyInserter<?, ? super ClientHttpRequest> body = request.body();
		return ClientRequest.from(request)
			.httpRequest(this::written)
			.body((output, context) -> body.insert(output, context)
				.doOnSubscribe((subscription) -> this.subscribed.incrementAndGet()))
			.build();
	}

	private void written(ClientHttpRequest request) {
		this.beforeConnecting = WRITTEN_BEFORE_CONNECTING.contains(request.getClass().getName());
		this.written.incrementAndGet();
	}

	/** Whether what was answered certainly was sent once. */
	boolean sentOnce() {
		return this.written.get() == 1 && this.subscribed.get() == 1;
	}

	/**
	 * Whether nothing was sent before what now finds no connection. If it is written
	 * after connecting, whatever was written was another.
	 */
	boolean sentAtMostOnce() {
		return this.written.get() == 0 || (this.beforeConnecting && sentOnce());
	}

}
