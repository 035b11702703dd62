package io.github.idem.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/**
 * One PostgreSQL server for all tests of a JVM, durable as in production, with a fresh
 * database for whoever asks. It stops with the JVM.
 */
public final class EmbeddedPostgresServer {

	private static final AtomicInteger COUNT = new AtomicInteger();

	private EmbeddedPostgresServer() {
	}

	/**
	 * Create an empty database.
	 * @return its JDBC URL; user and password are {@code postgres}
	 */
	public static String newDatabase() {
		String name = "test_" + COUNT.incrementAndGet();
		try (Connection connection = Holder.SERVER.getPostgresDatabase().getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute("CREATE DATABASE " + name);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
		return Holder.SERVER.getJdbcUrl("postgres", name) + "&password=postgres";
	}

	/**
	 * A data source without a pool on the server's own database, to look at it from
	 * outside.
	 * @return the data source
	 */
	public static DataSource administration() {
		return Holder.SERVER.getPostgresDatabase();
	}

	/**
	 * What the server has logged, one line per message; the line begins with
	 * {@code [database]}.
	 * @return the lines so far
	 */
	public static List<String> log() {
		try (Stream<Path> files = Files.list(Holder.LOGS)) {
			return files.sorted().flatMap(EmbeddedPostgresServer::lines).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Stream<String> lines(Path file) {
		try {
			return Files.readAllLines(file).stream();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static final class Holder {

		static final Path LOGS = createLogDirectory();

		static final EmbeddedPostgres SERVER = start();

		private static EmbeddedPostgres start() {
			try {
				return EmbeddedPostgres.builder()
					.setServerConfig("fsync", "on")
					.setServerConfig("full_page_writes", "on")
					.setServerConfig("synchronous_commit", "on")
					.setServerConfig("max_connections", "200")
					// Its transactions would be counted as ours.
					.setServerConfig("autovacuum", "off")
					.setServerConfig("logging_collector", "on")
					.setServerConfig("log_directory", LOGS.toString())
					.setServerConfig("log_filename", "server.log")
					.setServerConfig("log_line_prefix", "[%d]")
					.start();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		private static Path createLogDirectory() {
			try {
				Path directory = Files.createTempDirectory("idem-postgres-log");
				directory.toFile().setWritable(true, false);
				directory.toFile().setReadable(true, false);
				directory.toFile().setExecutable(true, false);
				directory.toFile().deleteOnExit();
				directory.resolve("server.log").toFile().deleteOnExit();
				return directory;
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

}
