package io.github.idem.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.github.idem.Downstream;
import io.github.idem.IdempotencyStoreException;
import io.github.idem.identity.CallIdentity;
import io.github.idem.operation.Claim;
import io.github.idem.operation.ClaimRequest;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** How the tables come into place, alone and beside those of an application. */
abstract class SchemaMigrationContractTest {

	@TempDir
	private Path applicationScripts;

	private DataSource dataSource;

	private JdbcTemplate jdbc;

	/**
	 * An empty database.
	 * @return its JDBC URL
	 */
	abstract String newDatabase();

	@BeforeEach
	void openDatabase() throws IOException {
		this.dataSource = new DriverManagerDataSource(newDatabase());
		this.jdbc = new JdbcTemplate(this.dataSource);
		Files.writeString(this.applicationScripts.resolve("V1__orders.sql"), "CREATE TABLE orders (id INT);");
		Files.writeString(this.applicationScripts.resolve("V2__items.sql"), "CREATE TABLE items (id INT);");
	}

	@Test
	void anEmptyDatabaseGetsTheTablesOnce() {
		for (int start = 0; start < 2; start++) {
			SchemaMigration.run(this.dataSource, null, SchemaMode.MIGRATE);
			SchemaMigration.run(this.dataSource, null, SchemaMode.VALIDATE);
			assertThat(history("idem_schema_history")).containsExactly("1", "2");
		}
		assertThatTheStoreWorksIn(null);
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> history("flyway_schema_history"));
	}

	@Test
	void tablesOfAnApplicationWithoutFlywayAreNoHindrance() {
		this.jdbc.execute("CREATE TABLE legacy (id INT)");

		SchemaMigration.run(this.dataSource, null, SchemaMode.MIGRATE);
		SchemaMigration.run(this.dataSource, null, SchemaMode.MIGRATE);

		assertThat(history("idem_schema_history")).containsExactly("0", "1", "2");
		assertThatTheStoreWorksIn(null);
	}

	@Test
	void theApplicationsMigrationsAndOursKeepTheirOwnHistories() {
		for (int start = 0; start < 2; start++) {
			application().load().migrate();
			SchemaMigration.run(this.dataSource, null, SchemaMode.MIGRATE);
		}

		assertThat(history("flyway_schema_history")).containsExactly("1", "2");
		assertThat(history("idem_schema_history")).containsExactly("0", "1", "2");
		assertThat(application().load().validateWithResult().validationSuccessful).isTrue();
		SchemaMigration.run(this.dataSource, null, SchemaMode.VALIDATE);
		assertThatTheStoreWorksIn(null);
	}

	@Test
	void anApplicationWhoseFlywayComesLaterNeedsABaselineOfZero() {
		SchemaMigration.run(this.dataSource, null, SchemaMode.MIGRATE);

		assertThatExceptionOfType(FlywayException.class).isThrownBy(() -> application().load().migrate());
		application().baselineOnMigrate(true).baselineVersion("0").load().migrate();

		assertThat(history("flyway_schema_history")).containsExactly("0", "1", "2");
		assertThat(history("idem_schema_history")).containsExactly("1", "2");
		SchemaMigration.run(this.dataSource, null, SchemaMode.VALIDATE);
	}

	@Test
	void inASchemaOfItsOwnTheOrderDoesNotMatter() {
		SchemaMigration.run(this.dataSource, "Idem tables", SchemaMode.MIGRATE);
		application().load().migrate();
		SchemaMigration.run(this.dataSource, "Idem tables", SchemaMode.MIGRATE);
		SchemaMigration.run(this.dataSource, "Idem tables", SchemaMode.VALIDATE);

		assertThat(history("flyway_schema_history")).containsExactly("1", "2");
		assertThatTheStoreWorksIn("Idem tables");
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> this.jdbc.execute("SELECT * FROM idem_operation"));
	}

	@Test
	void validationOfMissingTablesFailsAndChangesNothing() {
		assertThatExceptionOfType(IdempotencyStoreException.class)
			.isThrownBy(() -> SchemaMigration.run(this.dataSource, null, SchemaMode.VALIDATE))
			.withMessageContaining("missing")
			.withMessageContaining("idem.schema.mode=migrate");
		assertThatExceptionOfType(IdempotencyStoreException.class)
			.isThrownBy(() -> SchemaMigration.run(this.dataSource, "elsewhere", SchemaMode.VALIDATE))
			.withMessageContaining("elsewhere");

		application().load().migrate();
		assertThat(history("flyway_schema_history")).containsExactly("1", "2");
	}

	@Test
	void validationOfAnOlderVersionFails() {
		this.jdbc.execute("CREATE TABLE legacy (id INT)");
		SchemaMigration.run(this.dataSource, null, SchemaMode.MIGRATE);
		this.jdbc.update("DELETE FROM \"idem_schema_history\" WHERE \"version\" = '1'");

		assertThatExceptionOfType(IdempotencyStoreException.class)
			.isThrownBy(() -> SchemaMigration.run(this.dataSource, null, SchemaMode.VALIDATE))
			.withMessageContaining("idem.schema.mode=migrate");
	}

	@Test
	void tablesThatCanNotBeCreatedAreAClearError() {
		this.jdbc.execute("CREATE TABLE idem_operation (id INT)");

		assertThatExceptionOfType(IdempotencyStoreException.class)
			.isThrownBy(() -> SchemaMigration.run(this.dataSource, null, SchemaMode.MIGRATE))
			.withMessageContaining("idem's tables could not be created");
	}

	@Test
	void severalProcessesThatStartAtOnceAllFindTheTablesInPlace() throws Exception {
		for (String schema : new String[] { null, "shared", null, "shared" }) {
			openDatabase();
			ExecutorService processes = Executors.newFixedThreadPool(4);
			try {
				CountDownLatch start = new CountDownLatch(1);
				List<Future<?>> starts = new ArrayList<>();
				for (int i = 0; i < 4; i++) {
					starts.add(processes.submit(() -> {
						start.await();
						SchemaMigration.run(this.dataSource, schema, SchemaMode.MIGRATE);
						return null;
					}));
				}
				start.countDown();
				for (Future<?> each : starts) {
					each.get(60, TimeUnit.SECONDS);
				}
			}
			finally {
				processes.shutdownNow();
			}
			assertThatTheStoreWorksIn(schema);
		}
	}

	@Test
	void whoTripsOverAnotherProcessLooksAgain() {
		AtomicInteger connections = new AtomicInteger();
		DataSource tripping = new DelegatingDataSource(this.dataSource) {
			@Override
			public Connection getConnection() throws SQLException {
				if (connections.incrementAndGet() == 2) {
					throw new SQLException("somebody else was at it");
				}
				return super.getConnection();
			}
		};

		SchemaMigration.run(tripping, null, SchemaMode.MIGRATE);

		assertThat(connections).hasValueGreaterThan(2);
		assertThatTheStoreWorksIn(null);
	}

	private FluentConfiguration application() {
		return Flyway.configure().dataSource(this.dataSource).locations("filesystem:" + this.applicationScripts);
	}

	private List<String> history(String table) {
		return this.jdbc.queryForList(
				"SELECT \"version\" FROM \"" + table + "\" WHERE \"version\" IS NOT NULL ORDER BY \"installed_rank\"",
				String.class);
	}

	private void assertThatTheStoreWorksIn(String schema) {
		JdbcOperationStore store = JdbcOperationStore.create(this.dataSource, "app", schema);
		Claim claim = store.claim(new ClaimRequest(new CallIdentity("task", "call", "charge", "1", "1"), "key", null,
				Downstream.OPAQUE, "{}", "owner", Duration.ofMinutes(1)));
		store.complete((Claim.Granted) claim, "paid");
		assertThat(store.history("task:call")).hasSize(2);
		assertThat(store.findByToolCall("task", "call")).hasSize(1);
	}

}
