package io.github.idem.tool;

import java.util.Map;

import io.github.idem.testing.H2Files;

class UnknownOutcomesOnH2Test extends UnknownOutcomesTest {

	@Override
	Map<String, Object> database() {
		return Map.of("spring.datasource.url", H2Files.newDatabase());
	}

}
