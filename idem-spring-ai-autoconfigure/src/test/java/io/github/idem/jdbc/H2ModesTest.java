package io.github.idem.jdbc;

import java.time.Duration;

import io.github.idem.Downstream;
import io.github.idem.IdempotencyStoreException;
import io.github.idem.identity.CallIdentity;
import io.github.idem.operation.Claim;
import io.github.idem.operation.ClaimRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The ways in which applications have H2 pretend to be something else. */
class H2ModesTest {

	@ParameterizedTest
	@ValueSource(strings = { "", ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH",
			";MODE=PostgreSQL", ";MODE=MySQL", ";MODE=MariaDB;DATABASE_TO_UPPER=FALSE", ";MODE=MSSQLServer",
			";CASE_INSENSITIVE_IDENTIFIERS=TRUE" })
	void everyVerbWorksInEveryMode(String settings) {
		SingleConnectionDataSource dataSource = new SingleConnectionDataSource("jdbc:h2:mem:modes" + settings, true);
		try {
			SchemaMigration.run(dataSource, null, SchemaMode.MIGRATE);
			SchemaMigration.run(dataSource, null, SchemaMode.VALIDATE);
			JdbcOperationStore store = JdbcOperationStore.create(dataSource, "app", null);
			Claim.Granted first = (Claim.Granted) store.claim(request("a"));
			assertThat(store.claim(request("b"))).isInstanceOf(Claim.InProgress.class);
			assertThat(store.renew(first, Duration.ofMinutes(2))).isTrue();
			store.fail(first, "declined");
			Claim.Granted second = (Claim.Granted) store.claim(request("b"));
			new JdbcTemplate(dataSource).update("UPDATE idem_operation SET lease_until = created_at");
			assertThat(store.expireLeases(10)).hasSize(1);
			store.complete(second, "");
			assertThat(store.claim(request("c")).operation().result()).isEmpty();
			store.complete(first, "late");
			assertThat(store.history("task:call")).hasSize(5);
			assertThat(store.findByToolCall("task", "call")).hasSize(1);
		}
		finally {
			dataSource.destroy();
		}
	}

	@Test
	void theModeThatTakesEmptyTextForNullIsRefused() {
		assertThatExceptionOfType(IdempotencyStoreException.class)
			.isThrownBy(() -> JdbcOperationStore.create(new DriverManagerDataSource("jdbc:h2:mem:oracle;MODE=Oracle"),
					"app", null))
			.withMessageContaining("MODE=Oracle");
	}

	@Test
	void aDatabaseThatTakesUpperAndLowerCaseForTheSameIsRefused() {
		assertThatExceptionOfType(IdempotencyStoreException.class)
			.isThrownBy(() -> JdbcOperationStore
				.create(new DriverManagerDataSource("jdbc:h2:mem:one-case;IGNORECASE=TRUE"), "app", null))
			.withMessageContaining("IGNORECASE");
	}

	private static ClaimRequest request(String owner) {
		return new ClaimRequest(new CallIdentity("task", "call", "charge", "1", "1"), "key", null, Downstream.OPAQUE,
				"{}", owner, Duration.ofMinutes(1));
	}

}
