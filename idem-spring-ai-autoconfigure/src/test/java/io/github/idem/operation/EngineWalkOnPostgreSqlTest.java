package io.github.idem.operation;

import io.github.idem.testing.EmbeddedPostgresServer;

class EngineWalkOnPostgreSqlTest extends EngineWalkTest {

	@Override
	String newDatabase() {
		return EmbeddedPostgresServer.newDatabase();
	}

	@Override
	int steps() {
		return Integer.getInteger("idem.walk.steps", 1_000);
	}

	@Override
	boolean everywhere(ModelledStore store) {
		return true;
	}

}
