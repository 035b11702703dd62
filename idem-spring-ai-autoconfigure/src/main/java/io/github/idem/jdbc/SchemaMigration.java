package io.github.idem.jdbc;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import io.github.idem.IdempotencyStoreException;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.output.ValidateResult;
import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.util.ClassUtils;

/**
 * Brings the store's tables into place with a Flyway of its own: history table
 * {@code idem_schema_history}, scripts under {@code io/github/idem/db}, baselined at 0 so
 * that it can join a schema that has tables already. The application's own Flyway, its
 * history and its settings are not looked at.
 * <p>
 * Run it after the application's migrations, or with a schema of its own: a Flyway
 * without {@code baselineOnMigrate} refuses a schema in which it finds our tables first.
 * Several processes may start at once.
 */
public final class SchemaMigration {

	private static final String POSTGRESQL_MODULE = "org.flywaydb.database.postgresql.PostgreSQLDatabaseType";

	private static final int MAX_ATTEMPTS = 5;

	private SchemaMigration() {
	}

	/**
	 * Do what the mode asks.
	 * @param dataSource the store's data source
	 * @param schema the schema of the tables, created if it is missing; {@code null} for
	 * the connection's
	 * @param mode what to do
	 * @throws IdempotencyStoreException if the tables are not in place afterwards; never
	 * in mode {@link SchemaMode#NONE}
	 */
	public static void run(DataSource dataSource, @Nullable String schema, SchemaMode mode) {
		switch (mode) {
			case MIGRATE -> migrate(dataSource, schema);
			case VALIDATE -> validate(dataSource, schema);
			case NONE -> {
			}
		}
	}

	/**
	 * Processes that start at once can trip over each other while Flyway sets up its
	 * history table, before it has anything to lock; whoever fails looks again.
	 */
	private static void migrate(DataSource dataSource, @Nullable String schema) {
		Flyway flyway = flyway(dataSource, schema);
		FlywayException failure = null;
		for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
			try {
				flyway.migrate();
				return;
			}
			catch (FlywayException ex) {
				if (failure == null) {
					failure = ex;
				}
				if (lacksConnection(ex)) {
					break;
				}
				LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(100_000_000L, 300_000_000L));
			}
		}
		throw new IdempotencyStoreException("idem's tables could not be created or brought up to date. Give the "
				+ "database user the right to and the pool two connections, which Flyway needs, or run the scripts under "
				+ "io/github/idem/db yourself and set idem.schema.mode=none.", failure);
	}

	/** Looking again would only wait for the pool again. */
	private static boolean lacksConnection(FlywayException failure) {
		return NestedExceptionUtils.getMostSpecificCause(failure) instanceof SQLException sql
				&& (sql instanceof SQLTransientConnectionException
						|| (sql.getSQLState() != null && sql.getSQLState().startsWith("08")));
	}

	private static void validate(DataSource dataSource, @Nullable String schema) {
		ValidateResult result;
		try {
			result = flyway(dataSource, schema).validateWithResult();
		}
		catch (FlywayException ex) {
			throw new IdempotencyStoreException("idem's tables could not be checked. See the cause.", ex);
		}
		if (!result.validationSuccessful) {
			throw new IdempotencyStoreException("idem's tables are missing or not of this version"
					+ ((schema != null) ? " in schema '" + schema + "'" : "")
					+ ". Set idem.schema.mode=migrate, or run the scripts under io/github/idem/db yourself and set "
					+ "idem.schema.mode=none.");
		}
	}

	private static Flyway flyway(DataSource dataSource, @Nullable String schema) {
		Dialect dialect = Database.dialectOf(dataSource);
		ClassLoader classLoader = SchemaMigration.class.getClassLoader();
		requireModule(dialect, classLoader);
		FluentConfiguration configuration = Flyway.configure(classLoader)
			.dataSource(StoreConnections.unwrap(dataSource))
			.locations(dialect.migrations())
			.failOnMissingLocations(true)
			.table("idem_schema_history")
			.baselineOnMigrate(true)
			.baselineVersion("0")
			.baselineDescription("before idem")
			.placeholderReplacement(false)
			.skipDefaultCallbacks(true);
		if (schema != null) {
			configuration.schemas(schema).defaultSchema(schema).createSchemas(true);
		}
		return configuration.load();
	}

	static void requireModule(Dialect dialect, @Nullable ClassLoader classLoader) {
		if (dialect == Dialect.POSTGRESQL && !ClassUtils.isPresent(POSTGRESQL_MODULE, classLoader)) {
			throw new IdempotencyStoreException(
					"idem's tables are on PostgreSQL, but Flyway's support for it is not on "
							+ "the classpath. Add org.flywaydb:flyway-database-postgresql, or run the scripts under "
							+ "io/github/idem/db/postgresql yourself and set idem.schema.mode=none.");
		}
	}

}
