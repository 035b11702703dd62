package io.github.idem.jdbc;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.io.TempDir;

class H2SchemaMigrationTest extends SchemaMigrationContractTest {

	private static final AtomicInteger COUNT = new AtomicInteger();

	@TempDir
	private Path directory;

	@Override
	String newDatabase() {
		return "jdbc:h2:file:" + this.directory.resolve("store" + COUNT.incrementAndGet());
	}

}
