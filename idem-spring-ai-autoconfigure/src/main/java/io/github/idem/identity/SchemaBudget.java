package io.github.idem.identity;

/**
 * Bounds the work on one schema. Schemas come from other people's servers too, and a
 * short one can describe more combinations than there is memory for.
 */
final class SchemaBudget {

	private static final int STEPS = 200_000;

	private int left = STEPS;

	/** Whether there is a step left to take. */
	boolean take() {
		if (this.left > 0) {
			this.left--;
			return true;
		}
		return false;
	}

	boolean isSpent() {
		return this.left == 0;
	}

}
