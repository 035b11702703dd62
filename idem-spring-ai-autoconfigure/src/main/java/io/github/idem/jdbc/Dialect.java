package io.github.idem.jdbc;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

import java.sql.SQLException;

import io.github.idem.IdempotencyStoreException;

/**
 * The databases the store runs on, told by the product name the driver reports. An
 * unknown one is refused: a guess could lose the constraint that decides who runs.
 */
enum Dialect {

	H2("H2", "h2", false, 0, Set.of("23505", "40001", "90131"), Set.of("HYT00", "50200"), "SELECT LOCK_TIMEOUT()",
			"SET LOCK_TIMEOUT ?"),

	POSTGRESQL("PostgreSQL", "postgresql", true, 5, Set.of("23505", "40001", "40P01"), Set.of("55P03"),
			"SELECT current_setting('lock_timeout')", "SELECT set_config('lock_timeout', ?, true)");

	private final String product;

	private final String folder;

	private final boolean oneStatementPerChange;

	private final int statementSeconds;

	private final Set<String> lostRaces;

	private final Set<String> lockTimeouts;

	private final String lockTimeout;

	private final String setLockTimeout;

	Dialect(String product, String folder, boolean oneStatementPerChange, int statementSeconds, Set<String> lostRaces,
			Set<String> lockTimeouts, String lockTimeout, String setLockTimeout) {
		this.product = product;
		this.folder = folder;
		this.oneStatementPerChange = oneStatementPerChange;
		this.statementSeconds = statementSeconds;
		this.lostRaces = lostRaces;
		this.lockTimeouts = lockTimeouts;
		this.lockTimeout = lockTimeout;
		this.setLockTimeout = setLockTimeout;
	}

	static Dialect of(String product) {
		for (Dialect dialect : values()) {
			if (dialect.product.equals(product)) {
				return dialect;
			}
		}
		throw new IdempotencyStoreException("idem does not know the database '" + product + "'; it runs on "
				+ Arrays.stream(values()).map((dialect) -> dialect.product).collect(Collectors.joining(" and "))
				+ ". Name a data source on one of them with idem.data-source, or provide an OperationStore bean.");
	}

	String migrations() {
		return "classpath:io/github/idem/db/" + this.folder;
	}

	/**
	 * Whether a change is one statement and so needs no transaction around it.
	 * @return {@code true} if autocommit will do
	 */
	boolean oneStatementPerChange() {
		return this.oneStatementPerChange;
	}

	/**
	 * How long a statement may take on a connection of our own: longer than any of them
	 * needs, and shorter than it takes a lease to run out. H2 never waits for longer than
	 * its lock timeout, and its query timeout would stay with the connection.
	 * @return the seconds; 0 if it needs no bound
	 */
	int statementSeconds() {
		return this.statementSeconds;
	}

	/**
	 * Whether a statement failed because somebody else was first, and nothing was
	 * written: a unique constraint, a deadlock, a concurrent update.
	 * @param failure what the driver threw
	 * @return {@code true} if looking again will tell who was first
	 */
	boolean isLostRace(SQLException failure) {
		String state = failure.getSQLState();
		return state != null && this.lostRaces.contains(state);
	}

	/**
	 * Whether a statement waited too long for somebody else's transaction, and nothing
	 * was written.
	 * @param failure what the driver threw
	 * @return {@code true} if it may be tried again
	 */
	boolean isLockTimeout(SQLException failure) {
		String state = failure.getSQLState();
		return state != null && this.lockTimeouts.contains(state);
	}

	/** The query for how long statements wait, in a form that can be set again. */
	String lockTimeout() {
		return this.lockTimeout;
	}

	/** Sets how long statements wait, in milliseconds. */
	String setLockTimeout() {
		return this.setLockTimeout;
	}

	SqlSource source() {
		return switch (this) {
			case H2 -> new H2SqlSource();
			case POSTGRESQL -> new PostgreSqlSource();
		};
	}

}
