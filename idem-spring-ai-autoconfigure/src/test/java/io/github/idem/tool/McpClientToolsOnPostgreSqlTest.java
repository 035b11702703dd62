package io.github.idem.tool;

import io.github.idem.testing.EmbeddedPostgresServer;

class McpClientToolsOnPostgreSqlTest extends McpClientToolsTest {

	@Override
	String url() {
		return EmbeddedPostgresServer.newDatabase();
	}

}
