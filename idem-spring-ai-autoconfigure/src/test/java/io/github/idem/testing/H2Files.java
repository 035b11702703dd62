package io.github.idem.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** H2 databases on disk. */
public final class H2Files {

	private H2Files() {
	}

	/**
	 * Name a database that does not exist yet, for several processes at once.
	 * @return its JDBC URL, with the user in it
	 */
	public static String newDatabase() {
		try {
			Path parent = Files.createDirectories(Path.of("target", "h2").toAbsolutePath());
			Path directory = Files.createTempDirectory(parent, "database");
			return "jdbc:h2:file:" + directory.resolve("test") + ";AUTO_SERVER=TRUE;USER=sa";
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
