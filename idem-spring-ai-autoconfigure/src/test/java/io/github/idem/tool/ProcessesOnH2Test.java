package io.github.idem.tool;

import io.github.idem.testing.H2Files;

class ProcessesOnH2Test extends ProcessesTest {

	@Override
	String newDatabase() {
		return H2Files.newDatabase();
	}

}
