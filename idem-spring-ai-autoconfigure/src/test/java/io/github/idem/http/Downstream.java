package io.github.idem.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Servers that answer nothing, each on the loopback interface. */
final class Downstream {

	private Downstream() {
	}

	/** Where nobody listens. */
	static String refusing() throws IOException {
		try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return uri(server);
		}
	}

	/** A server that takes no further connection, though its port is open. */
	static final class Full implements AutoCloseable {

		private final ServerSocket server;

		private final List<Socket> waiting = new ArrayList<>();

		Full() throws IOException {
			this.server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
		}

		/** Fill the queue of connections until the next one is not made. */
		boolean fill() throws IOException {
			for (int i = 0; i < 10; i++) {
				Socket socket = new Socket();
				this.waiting.add(socket);
				try {
					socket.connect(new InetSocketAddress(this.server.getInetAddress(), this.server.getLocalPort()),
							200);
				}
				catch (IOException ex) {
					return true;
				}
			}
			return false;
		}

		String uri() {
			return Downstream.uri(this.server);
		}

		@Override
		public void close() throws IOException {
			for (Socket socket : this.waiting) {
				socket.close();
			}
			this.server.close();
		}

	}

	/** A server that answers one request, takes another, and is gone. */
	static final class Dying implements AutoCloseable {

		private final ServerSocket server;

		private final CompletableFuture<Boolean> second;

		Dying() throws IOException {
			this.server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
			this.second = CompletableFuture.supplyAsync(this::serve, (task) -> new Thread(task).start());
		}

		private boolean serve() {
			try (Socket socket = this.server.accept()) {
				BufferedReader in = new BufferedReader(
						new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
				boolean first = readHead(in);
				socket.getOutputStream()
					.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
				boolean further = readHead(in);
				this.server.close();
				return first && further;
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		private static boolean readHead(BufferedReader in) throws IOException {
			String line = in.readLine();
			boolean post = line != null && line.startsWith("POST ");
			while (line != null && !line.isEmpty()) {
				line = in.readLine();
			}
			return post;
		}

		String uri() {
			return Downstream.uri(this.server);
		}

		boolean tookTheSecond() throws Exception {
			return this.second.get(10, TimeUnit.SECONDS);
		}

		@Override
		public void close() throws IOException {
			this.server.close();
		}

	}

	private static String uri(ServerSocket server) {
		return "http://127.0.0.1:" + server.getLocalPort() + "/charges";
	}

}
