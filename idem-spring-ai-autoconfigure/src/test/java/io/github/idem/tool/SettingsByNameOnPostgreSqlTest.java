package io.github.idem.tool;

import java.util.HashMap;
import java.util.Map;

import io.github.idem.testing.EmbeddedPostgresServer;

class SettingsByNameOnPostgreSqlTest extends SettingsByNameTest {

	@Override
	Map<String, Object> database() {
		Map<String, Object> properties = new HashMap<>(SETTINGS);
		properties.put("spring.datasource.url", EmbeddedPostgresServer.newDatabase());
		return properties;
	}

}
