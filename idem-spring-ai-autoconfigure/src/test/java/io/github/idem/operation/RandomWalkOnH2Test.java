package io.github.idem.operation;

import io.github.idem.testing.H2Files;

class RandomWalkOnH2Test extends RandomWalkTest {

	@Override
	String newDatabase() {
		return H2Files.newDatabase();
	}

	@Override
	int length() {
		return 40_000;
	}

}
