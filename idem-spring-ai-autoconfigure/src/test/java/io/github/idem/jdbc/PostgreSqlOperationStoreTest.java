package io.github.idem.jdbc;

import io.github.idem.testing.EmbeddedPostgresServer;
import org.junit.jupiter.api.BeforeAll;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

class PostgreSqlOperationStoreTest extends OperationStoreContractTest {

	private static String url;

	@BeforeAll
	static void createTables() {
		url = EmbeddedPostgresServer.newDatabase();
		SchemaMigration.run(new DriverManagerDataSource(url), null, SchemaMode.MIGRATE);
	}

	@Override
	String url() {
		return url;
	}

	@Override
	String urlOfDeadDatabase() {
		return "jdbc:postgresql://localhost:1/postgres";
	}

}
