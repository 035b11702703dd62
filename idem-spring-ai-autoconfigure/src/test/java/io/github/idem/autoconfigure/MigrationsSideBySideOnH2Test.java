package io.github.idem.autoconfigure;

import io.github.idem.testing.H2Files;

class MigrationsSideBySideOnH2Test extends MigrationsSideBySideTest {

	@Override
	String newDatabase() {
		return H2Files.newDatabase();
	}

}
