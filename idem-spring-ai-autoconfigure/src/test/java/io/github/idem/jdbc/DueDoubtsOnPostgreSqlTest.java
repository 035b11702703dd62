package io.github.idem.jdbc;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;

import io.github.idem.Downstream;
import io.github.idem.testing.EmbeddedPostgresServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DueDoubtsOnPostgreSqlTest extends DueDoubtsTest {

	@Override
	String newDatabase() {
		return EmbeddedPostgresServer.newDatabase();
	}

	@Test
	void oneThatSomebodyHasLockedDoesNotKeepTheOthersWaiting() throws Exception {
		doubt("locked", "charge", Downstream.QUERYABLE);
		doubt("free", "charge", Downstream.QUERYABLE);
		doubt("free as well", "refund", Downstream.QUERYABLE);
		makeDue();
		try (Connection other = dataSource().getConnection(); Statement statement = other.createStatement()) {
			other.setAutoCommit(false);
			statement.execute("SELECT 1 FROM idem_operation WHERE task_id = 'locked' FOR UPDATE");
			assertThat(store().takeDue(10, Duration.ofHours(1))).extracting((doubt) -> doubt.operation().taskId())
				.containsExactlyInAnyOrder("free", "free as well");
			other.rollback();
		}
		assertThat(store().takeDue(10, Duration.ofHours(1))).extracting((doubt) -> doubt.operation().taskId())
			.containsExactly("locked");
	}

}
