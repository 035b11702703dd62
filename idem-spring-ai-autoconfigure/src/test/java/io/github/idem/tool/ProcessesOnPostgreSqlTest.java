package io.github.idem.tool;

import io.github.idem.testing.EmbeddedPostgresServer;

class ProcessesOnPostgreSqlTest extends ProcessesTest {

	@Override
	String newDatabase() {
		return EmbeddedPostgresServer.newDatabase();
	}

}
