package io.github.idem.jdbc;

import io.github.idem.testing.H2Files;

class DueDoubtsOnH2Test extends DueDoubtsTest {

	@Override
	String newDatabase() {
		return H2Files.newDatabase();
	}

}
