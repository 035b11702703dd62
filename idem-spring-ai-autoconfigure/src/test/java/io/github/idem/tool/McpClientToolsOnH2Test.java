package io.github.idem.tool;

import io.github.idem.testing.H2Files;

class McpClientToolsOnH2Test extends McpClientToolsTest {

	@Override
	String url() {
		return H2Files.newDatabase();
	}

}
