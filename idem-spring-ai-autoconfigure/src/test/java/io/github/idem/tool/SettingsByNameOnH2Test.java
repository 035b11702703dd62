package io.github.idem.tool;

import java.util.HashMap;
import java.util.Map;

import io.github.idem.testing.H2Files;

class SettingsByNameOnH2Test extends SettingsByNameTest {

	@Override
	Map<String, Object> database() {
		Map<String, Object> properties = new HashMap<>(SETTINGS);
		properties.put("spring.datasource.url", H2Files.newDatabase());
		return properties;
	}

}
