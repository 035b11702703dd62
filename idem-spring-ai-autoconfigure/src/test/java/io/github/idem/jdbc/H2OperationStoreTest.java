package io.github.idem.jdbc;

import java.nio.file.Path;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

class H2OperationStoreTest extends OperationStoreContractTest {

	@TempDir
	private static Path directory;

	@BeforeAll
	static void createTables() {
		SchemaMigration.run(new DriverManagerDataSource(urlIn("store")), null, SchemaMode.MIGRATE);
	}

	@Override
	String url() {
		return urlIn("store");
	}

	@Override
	String urlOfDeadDatabase() {
		return urlIn("missing") + ";IFEXISTS=TRUE";
	}

	private static String urlIn(String name) {
		return "jdbc:h2:file:" + directory.resolve(name);
	}

}
