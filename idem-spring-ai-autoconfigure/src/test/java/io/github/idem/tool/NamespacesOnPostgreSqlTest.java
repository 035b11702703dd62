package io.github.idem.tool;

import io.github.idem.testing.EmbeddedPostgresServer;

class NamespacesOnPostgreSqlTest extends NamespacesTest {

	@Override
	String newDatabase() {
		return EmbeddedPostgresServer.newDatabase();
	}

}
