package io.github.idem.tool;

import java.util.Map;

import io.github.idem.testing.H2Files;

class ProxiedToolsOnH2Test extends ProxiedToolsTest {

	@Override
	Map<String, Object> database() {
		return Map.of("spring.datasource.url", H2Files.newDatabase());
	}

}
