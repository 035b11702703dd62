package io.github.idem.autoconfigure;

import io.github.idem.testing.EmbeddedPostgresServer;

class MigrationsSideBySideOnPostgreSqlTest extends MigrationsSideBySideTest {

	@Override
	String newDatabase() {
		return EmbeddedPostgresServer.newDatabase();
	}

}
