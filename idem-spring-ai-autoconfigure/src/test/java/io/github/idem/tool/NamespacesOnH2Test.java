package io.github.idem.tool;

import io.github.idem.testing.H2Files;

class NamespacesOnH2Test extends NamespacesTest {

	@Override
	String newDatabase() {
		return H2Files.newDatabase();
	}

}
