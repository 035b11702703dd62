package io.github.idem.operation;

import io.github.idem.testing.H2Files;

class IdempotentExecutorOnH2Test extends IdempotentExecutorTest {

	@Override
	String newDatabase() {
		return H2Files.newDatabase();
	}

}
