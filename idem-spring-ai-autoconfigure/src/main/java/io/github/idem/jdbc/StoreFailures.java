package io.github.idem.jdbc;

import java.sql.SQLException;
import java.util.Set;

import io.github.idem.IdempotencyStoreException;
import io.github.idem.jdbc.StoreConnections.NoConnectionException;

/**
 * What the store says when the database failed it: what was to be done, for which
 * operation, and what to do now. The driver's own words may hold arguments and stay in
 * the cause.
 */
final class StoreFailures {

	/** A statement that took too long. */
	static final String CANCELLED = "57014";

	private static final Set<String> NO_SUCH_TABLE_OR_COLUMN = Set.of("42P01", "42703", "42883", "3F000", "42S02",
			"42S03", "42S04", "42S22", "90079");

	private StoreFailures() {
	}

	static IdempotencyStoreException describe(String attempted, SQLException failure) {
		if (failure instanceof NoConnectionException) {
			return new IdempotencyStoreException("idem could not " + attempted
					+ " because its data source gave no connection. Check that the database is up and that the pool has a "
					+ "connection to spare beside the one the caller's own transaction holds.", failure);
		}
		String state = String.valueOf(failure.getSQLState());
		if (NO_SUCH_TABLE_OR_COLUMN.contains(state)) {
			return new IdempotencyStoreException(
					"idem could not " + attempted + " because its tables are missing or of another version (SQL state "
							+ state
							+ "). Set idem.schema.mode=migrate, or run the scripts under io/github/idem/db yourself.",
					failure);
		}
		if (CANCELLED.equals(state)) {
			return new IdempotencyStoreException("idem could not " + attempted
					+ " because the database took too long. Look for a transaction that holds a lock on the operation. "
					+ "Whether it was written is unknown; the same call may be made again.", failure);
		}
		return new IdempotencyStoreException("idem could not " + attempted + " because the database failed (SQL state "
				+ state + ", code " + failure.getErrorCode()
				+ "). Whether it was written is unknown; the same call may be made again.", failure);
	}

}
