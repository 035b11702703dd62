package io.github.idem.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.springframework.util.FileSystemUtils;

/**
 * A PostgreSQL server of one's own, durable as in production, that can be stopped and
 * started again on the same data and port.
 */
public final class RestartablePostgres implements AutoCloseable {

	private final Path data;

	private EmbeddedPostgres server;

	private RestartablePostgres(Path data, EmbeddedPostgres server) {
		this.data = data;
		this.server = server;
	}

	public static RestartablePostgres start() throws IOException {
		Path data = Files.createTempDirectory("idem-postgres-data");
		return new RestartablePostgres(data, builder(data).start());
	}

	private static EmbeddedPostgres.Builder builder(Path data) {
		return EmbeddedPostgres.builder()
			.setDataDirectory(data)
			.setCleanDataDirectory(false)
			.setServerConfig("fsync", "on")
			.setServerConfig("full_page_writes", "on")
			.setServerConfig("synchronous_commit", "on")
			.setServerConfig("max_connections", "100");
	}

	public String url() {
		return this.server.getJdbcUrl("postgres", "postgres") + "&password=postgres";
	}

	/** In order: sessions are ended, everything is written. */
	public void restart() throws IOException {
		int port = this.server.getPort();
		this.server.close();
		this.server = builder(this.data).setPort(port).start();
	}

	/**
	 * As after a crash: nothing is ended or written, the log is replayed at the start.
	 */
	public void crashAndRestart() throws IOException, InterruptedException {
		long postmaster = Long.parseLong(Files.readAllLines(this.data.resolve("postmaster.pid")).get(0).strip());
		ProcessHandle process = ProcessHandle.of(postmaster).orElseThrow();
		new ProcessBuilder("kill", "-QUIT", Long.toString(postmaster)).start().waitFor();
		try {
			process.onExit().get(30, TimeUnit.SECONDS);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
		restart();
	}

	@Override
	public void close() throws IOException {
		this.server.close();
		FileSystemUtils.deleteRecursively(this.data);
	}

}
