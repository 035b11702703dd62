package io.github.idem.operation;

import io.github.idem.testing.EmbeddedPostgresServer;

class IdempotentExecutorOnPostgreSqlTest extends IdempotentExecutorTest {

	@Override
	String newDatabase() {
		return EmbeddedPostgresServer.newDatabase();
	}

}
