package io.github.idem.operation;

import io.github.idem.testing.EmbeddedPostgresServer;

class ConcurrentWalkOnPostgreSqlTest extends ConcurrentWalkTest {

	@Override
	String newDatabase() {
		return EmbeddedPostgresServer.newDatabase();
	}

	@Override
	int stepsPerThread() {
		return 150;
	}

}
