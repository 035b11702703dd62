package io.github.idem.operation;

import io.github.idem.testing.H2Files;

class LockedRowsOnH2Test extends LockedRowsTest {

	@Override
	String newDatabase() {
		return H2Files.newDatabase();
	}

}
