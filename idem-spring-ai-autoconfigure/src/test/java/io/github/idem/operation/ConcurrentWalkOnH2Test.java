package io.github.idem.operation;

import io.github.idem.testing.H2Files;

class ConcurrentWalkOnH2Test extends ConcurrentWalkTest {

	@Override
	String newDatabase() {
		return H2Files.newDatabase();
	}

	@Override
	int stepsPerThread() {
		return 250;
	}

}
