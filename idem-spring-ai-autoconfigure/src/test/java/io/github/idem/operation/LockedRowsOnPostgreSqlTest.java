package io.github.idem.operation;

import io.github.idem.testing.EmbeddedPostgresServer;

class LockedRowsOnPostgreSqlTest extends LockedRowsTest {

	@Override
	String newDatabase() {
		return EmbeddedPostgresServer.newDatabase();
	}

}
