package io.github.idem.tool;

import java.util.Map;

import io.github.idem.testing.EmbeddedPostgresServer;

class ProxiedToolsOnPostgreSqlTest extends ProxiedToolsTest {

	@Override
	Map<String, Object> database() {
		return Map.of("spring.datasource.url", EmbeddedPostgresServer.newDatabase());
	}

}
