package io.github.idem.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Random;

import javax.sql.DataSource;

import io.github.idem.IdempotencyStoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.FilteredClassLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

/** What the store does about databases it may or may not run on. */
class DatabaseSupportTest {

	@ParameterizedTest
	@ValueSource(strings = { "Oracle", "MySQL", "h2", "EnterpriseDB", "" })
	void anUnknownDatabaseIsRefusedByName(String product) throws SQLException {
		DataSource dataSource = mock();
		Connection connection = mock();
		DatabaseMetaData metaData = mock();
		given(dataSource.getConnection()).willReturn(connection);
		given(connection.getMetaData()).willReturn(metaData);
		given(metaData.getDatabaseProductName()).willReturn(product);
		given(metaData.getURL()).willReturn("jdbc:postgresql://localhost/looks-right");

		assertThatExceptionOfType(IdempotencyStoreException.class)
			.isThrownBy(() -> JdbcOperationStore.create(dataSource, "app", null))
			.withMessageContaining("'" + product + "'")
			.withMessageContaining("H2 and PostgreSQL");
		assertThatExceptionOfType(IdempotencyStoreException.class)
			.isThrownBy(() -> SchemaMigration.run(dataSource, null, SchemaMode.MIGRATE))
			.withMessageContaining("'" + product + "'");
	}

	@Test
	void theModeNoneDoesNotEvenAskForAConnection() throws SQLException {
		DataSource dataSource = mock();

		SchemaMigration.run(dataSource, null, SchemaMode.NONE);

		verify(dataSource, never()).getConnection();
	}

	@Test
	void aMissingFlywayModuleIsNamed() {
		ClassLoader without = new FilteredClassLoader("org.flywaydb.database.postgresql");

		assertThatExceptionOfType(IdempotencyStoreException.class)
			.isThrownBy(() -> SchemaMigration.requireModule(Dialect.POSTGRESQL, without))
			.withMessageContaining("org.flywaydb:flyway-database-postgresql");
		assertThatNoException().isThrownBy(() -> SchemaMigration.requireModule(Dialect.H2, without));
		assertThatNoException()
			.isThrownBy(() -> SchemaMigration.requireModule(Dialect.POSTGRESQL, getClass().getClassLoader()));
	}

	@Test
	void aConstraintIsRecognisedByStateAndNotByText() {
		assertThat(Dialect.POSTGRESQL.isLostRace(new SQLException("?", "23505"))).isTrue();
		assertThat(Dialect.H2.isLostRace(new SQLException("?", "23505"))).isTrue();
		assertThat(Dialect.POSTGRESQL.isLostRace(new SQLException("duplicate key value", "22000"))).isFalse();
		assertThat(Dialect.H2.isLostRace(new SQLException("Unique index or primary key violation"))).isFalse();
	}

	@Test
	void whatHasBeenCommittedStandsEvenIfTheConnectionCanNotBeGivenBack() throws SQLException {
		DataSource dataSource = mock();
		Connection connection = mock();
		given(dataSource.getConnection()).willReturn(connection);
		given(connection.getAutoCommit()).willReturn(true);
		org.mockito.BDDMockito.willThrow(new SQLException("gone")).given(connection).close();
		org.mockito.BDDMockito.willThrow(new SQLException("gone")).given(connection).setAutoCommit(true);

		String answer = new StoreConnections(dataSource, false, false, 0, null).execute((own) -> "committed");

		assertThat(answer).isEqualTo("committed");
		verify(connection).commit();
		verify(connection, never()).rollback();
		verify(connection, never()).prepareStatement(any());
	}

	@Test
	void everyTextComesBackAsItWasAndMostAreLeftAlone() {
		assertThat(StoredText.encode("{\"a\":\"ü \uD83D\uDE00\\u0000\"}"))
			.isEqualTo("{\"a\":\"ü \uD83D\uDE00\\u0000\"}");
		Random random = new Random(7);
		String alphabet = "a0\u0000\u001A\uD83D\uDE00\uDC00\uD800f";
		for (int round = 0; round < 20_000; round++) {
			StringBuilder text = new StringBuilder();
			for (int i = random.nextInt(12); i > 0; i--) {
				text.append(alphabet.charAt(random.nextInt(alphabet.length())));
			}
			String stored = StoredText.encode(text.toString());
			assertThat(StoredText.decode(stored)).isEqualTo(text.toString());
			assertThat(stored).doesNotContain("\u0000");
			assertThat(new String(stored.getBytes(java.nio.charset.StandardCharsets.UTF_8),
					java.nio.charset.StandardCharsets.UTF_8))
				.isEqualTo(stored);
		}
	}

	@Test
	void aLongKeyIsShortenedSoThatNoOtherTextHasIt() {
		String emoji = "\uD83D\uDE00";
		assertThat(StoredText.key("order-1")).isEqualTo("order-1");
		assertThat(StoredText.key("x".repeat(128))).isEqualTo("x".repeat(128));
		assertThat(StoredText.key("x".repeat(129))).startsWith("x".repeat(64) + ":").hasSize(129);
		assertThat(StoredText.key(emoji.repeat(33))).startsWith(emoji.repeat(33) + ":");
		assertThat(StoredText.key("x".repeat(4096))).isNotEqualTo(StoredText.key("x".repeat(4095) + "y"));
		assertThat(StoredText.key(StoredText.key("x".repeat(129)))).isNotEqualTo(StoredText.key("x".repeat(129)));
	}

}
