package io.github.idem.operation;

import io.github.idem.testing.H2Files;

class EngineWalkOnH2Test extends EngineWalkTest {

	@Override
	String newDatabase() {
		return H2Files.newDatabase();
	}

	@Override
	int steps() {
		return Integer.getInteger("idem.walk.steps", 3_000);
	}

	@Override
	boolean everywhere(ModelledStore store) {
		return WalkRules.wasEverywhere(store);
	}

}
