package io.github.idem.jdbc;

import io.github.idem.testing.EmbeddedPostgresServer;

class PostgreSqlSchemaMigrationTests extends SchemaMigrationContractTest {

	@Override
	String newDatabase() {
		return EmbeddedPostgresServer.newDatabase();
	}

}
