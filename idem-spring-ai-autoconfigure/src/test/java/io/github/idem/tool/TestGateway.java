package io.github.idem.tool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * A payment gateway over HTTP that misbehaves as it is told, one request after the other,
 * and keeps a ledger of what it has applied. It deduplicates on the key only where it is
 * told to.
 */
final class TestGateway implements AutoCloseable {

	/** What to do with one request. */
	enum Behaviour {

		/** Apply and answer. */
		APPLY,

		/** Apply, and never answer. */
		APPLY_AND_LOSE,

		/** Apply, and answer 500. */
		APPLY_AND_FAIL,

		/** Never answer; apply after a while. */
		APPLY_LATE,

		/** Never apply, never answer. */
		LOSE,

		/** Answer 422 and not apply. */
		DECLINE,

		/** Answer 422 and remember that it never will be applied. */
		TOMBSTONE_AND_LOSE,

		/** Answer 429 and not apply. */
		TOO_MANY,

		/** Apply, and answer 503 and when to ask again. */
		APPLY_AND_BE_UNAVAILABLE,

		/** Answer 409. */
		CONFLICT

	}

	final Deque<Behaviour> plan = new ConcurrentLinkedDeque<>();

	final List<String> applied = new CopyOnWriteArrayList<>();

	final List<String> received = new CopyOnWriteArrayList<>();

	final Map<String, String> dead = new ConcurrentHashMap<>();

	volatile boolean deduplicates;

	/** In seconds. */
	volatile String retryAfter = "1";

	volatile Duration late = Duration.ofMillis(900);

	private final HttpServer server;

	private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(2);

	TestGateway() {
		try {
			this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.server.setExecutor(Executors.newCachedThreadPool());
		this.server.createContext("/charges", this::handle);
		this.server.createContext("/receipts", (exchange) -> answer(exchange, 404, "no receipt"));
		this.server.start();
	}

	String url() {
		return "http://localhost:" + this.server.getAddress().getPort();
	}

	void forget() {
		this.plan.clear();
		this.applied.clear();
		this.received.clear();
		this.dead.clear();
		this.deduplicates = false;
	}

	private void handle(HttpExchange exchange) throws IOException {
		if (exchange.getRequestMethod().equals("GET")) {
			String key = exchange.getRequestURI().getPath().substring("/charges/".length());
			answer(exchange, this.dead.containsKey(key) ? 410 : this.applied.contains(key) ? 200 : 404,
					"charged " + key);
			return;
		}
		String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
		exchange.getRequestBody().readAllBytes();
		this.received.add(key);
		Behaviour next = this.plan.poll();
		carryOut(exchange, key, (next != null) ? next : Behaviour.APPLY);
	}

	private void carryOut(HttpExchange exchange, String key, Behaviour behaviour) throws IOException {
		switch (behaviour) {
			case APPLY -> {
				apply(key);
				answer(exchange, 200, "charged " + key);
			}
			case APPLY_AND_LOSE -> apply(key);
			case APPLY_AND_FAIL -> {
				apply(key);
				answer(exchange, 500, "oops");
			}
			case APPLY_LATE -> this.scheduler.schedule(() -> apply(key), this.late.toMillis(), TimeUnit.MILLISECONDS);
			case LOSE -> {
			}
			case DECLINE -> answer(exchange, 422, "declined");
			case TOMBSTONE_AND_LOSE -> this.dead.put(key, "cancelled");
			case APPLY_AND_BE_UNAVAILABLE -> {
				apply(key);
				exchange.getResponseHeaders().set("Retry-After", this.retryAfter);
				answer(exchange, 503, "come back later");
			}
			case TOO_MANY -> {
				exchange.getResponseHeaders().set("Retry-After", this.retryAfter);
				answer(exchange, 429, "slow down");
			}
			case CONFLICT -> answer(exchange, 409, "in progress");
		}
	}

	private void apply(String key) {
		if (!this.deduplicates || !this.applied.contains(key)) {
			this.applied.add(key);
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
		this.scheduler.shutdownNow();
	}

}
