package io.github.idem.tool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.idem.tool.CrashPoint.Kind;

/**
 * The gateway of the crash matrix. It outlives the processes that are killed, holds
 * requests where one is to die, and deduplicates for one kind only.
 */
final class CrashGateway implements AutoCloseable {

	final List<String> effects = new CopyOnWriteArrayList<>();

	final Set<Kind> reached = ConcurrentHashMap.newKeySet();

	private final Map<String, Integer> received = new ConcurrentHashMap<>();

	private final Set<String> onTheirWay = ConcurrentHashMap.newKeySet();

	private final Set<String> cancelled = ConcurrentHashMap.newKeySet();

	private final CrashPoint point;

	private final HttpServer server;

	private volatile boolean crashed;

	CrashGateway(CrashPoint point) {
		this.point = point;
		try {
			this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.server.setExecutor(Executors.newCachedThreadPool());
		this.server.createContext("/charges", this::handle);
		this.server.createContext("/reached", (exchange) -> {
			String path = exchange.getRequestURI().getPath();
			this.reached.add(Kind.valueOf(path.substring(path.lastIndexOf('/') + 1)));
			answer(exchange, 200, "noted");
		});
		this.server.start();
	}

	String url() {
		return "http://localhost:" + this.server.getAddress().getPort();
	}

	/** The process is dead; from here on the gateway behaves. */
	void crashed() {
		this.crashed = true;
	}

	/** What was on its way when the process died arrives. */
	void deliver() {
		this.onTheirWay.forEach(this::apply);
		this.onTheirWay.clear();
	}

	long effects(Kind kind) {
		return this.effects.stream().filter((id) -> Kind.of(id) == kind).count();
	}

	/** A person has it cancelled: it never will be applied. */
	void cancel(String requestId) {
		this.onTheirWay.remove(requestId);
		this.cancelled.add(requestId);
	}

	private void handle(HttpExchange exchange) throws IOException {
		if (exchange.getRequestMethod().equals("GET")) {
			lookUp(exchange);
			return;
		}
		String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
		exchange.getRequestBody().readAllBytes();
		int count = this.received.merge(key, 1, Integer::sum);
		if (this.crashed) {
			this.cancelled.remove(key);
			apply(key);
			answer(exchange, 200, "charged " + key);
			return;
		}
		charge(exchange, key, count);
	}

	private void charge(HttpExchange exchange, String key, int count) throws IOException {
		switch (this.point) {
			case REQUEST_SENT_NEVER_APPLIED -> this.reached.add(Kind.of(key));
			case REQUEST_SENT_APPLIED_LATE -> {
				this.onTheirWay.add(key);
				this.reached.add(Kind.of(key));
			}
			case DOWNSTREAM_APPLIED -> {
				apply(key);
				this.reached.add(Kind.of(key));
			}
			case DURING_PROBE, BEFORE_RESOLUTION, AFTER_RESOLUTION -> apply(key);
			case RESEND_RECEIVED, RESEND_APPLIED -> {
				if (this.point == CrashPoint.RESEND_APPLIED) {
					apply(key);
				}
				if (count > 1) {
					this.reached.add(Kind.of(key));
				}
			}
			default -> {
				apply(key);
				answer(exchange, 200, "charged " + key);
			}
		}
	}

	private void lookUp(HttpExchange exchange) throws IOException {
		String path = exchange.getRequestURI().getPath();
		String key = path.substring("/charges/".length());
		if (this.point == CrashPoint.DURING_PROBE && !this.crashed) {
			this.reached.add(Kind.of(key));
			return;
		}
		answer(exchange, this.effects.contains(key) ? 200 : 404, "charged " + key);
	}

	private synchronized void apply(String key) {
		if (!this.cancelled.contains(key) && !(Kind.of(key) == Kind.IDEMPOTENT && this.effects.contains(key))) {
			this.effects.add(key);
		}
	}

	private static void answer(HttpExchange exchange, int status, String text) throws IOException {
		byte[] body = text.getBytes(StandardCharsets.UTF_8);
		exchange.sendResponseHeaders(status, body.length);
		exchange.getResponseBody().write(body);
		exchange.close();
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

}
