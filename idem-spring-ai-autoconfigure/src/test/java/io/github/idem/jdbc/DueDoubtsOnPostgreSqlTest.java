package io.github.idem.jdbc;

import io.github.idem.testing.EmbeddedPostgresServer;

class DueDoubtsOnPostgreSqlTest extends DueDoubtsTest {

	@Override
	String newDatabase() {
		return EmbeddedPostgresServer.newDatabase();
	}

}
