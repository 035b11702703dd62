package io.github.idem.jdbc;

import io.github.idem.testing.EmbeddedPostgresServer;

class PostgreSqlSchemaMigrationTest extends SchemaMigrationContractTest {

	@Override
	String newDatabase() {
		return EmbeddedPostgresServer.newDatabase();
	}

}
