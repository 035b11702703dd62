package io.github.idem.tool;

import java.util.Map;

import io.github.idem.testing.H2Files;

class DecoratedToolsOnH2Test extends DecoratedToolsTest {

	@Override
	Map<String, Object> database() {
		return Map.of("spring.datasource.url", H2Files.newDatabase());
	}

}
