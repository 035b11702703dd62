package io.github.idem.jdbc;

import java.sql.SQLException;

import io.github.idem.jdbc.StoreConnections.Step;
import org.jspecify.annotations.Nullable;

/** Where the steps of the store are run. */
interface Steps {

	/**
	 * Run one step, wholly or not at all.
	 * @param step what to do
	 * @param <T> what it gives
	 * @return what the step gave
	 * @throws SQLException if the step failed
	 */
	<T extends @Nullable Object> T execute(Step<T> step) throws SQLException;

	/**
	 * How long one statement of a step may take.
	 * @return the seconds; 0 if something else bounds it
	 */
	int statementSeconds();

}
