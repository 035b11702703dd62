package io.github.idem.operation;

import io.github.idem.testing.EmbeddedPostgresServer;

class RandomWalkOnPostgreSqlTest extends RandomWalkTest {

	@Override
	String newDatabase() {
		return EmbeddedPostgresServer.newDatabase();
	}

	@Override
	int length() {
		return 3_000;
	}

}
