package io.github.idem.tool;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

import io.github.idem.testing.EmbeddedPostgresServer;

import org.springframework.jdbc.core.simple.JdbcClient;

class TransactionalEdgesOnPostgreSqlTest extends TransactionalEdgesTest {

	@Override
	Map<String, Object> database() {
		return Map.of("spring.datasource.url", EmbeddedPostgresServer.newDatabase(), "idem.wait.timeout", "2500ms");
	}

	@Override
	String lockTimeout() {
		return "SELECT current_setting('lock_timeout')";
	}

	@Override
	void kill(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
			row.next();
			JdbcClient.create(EmbeddedPostgresServer.administration())
				.sql("SELECT pg_terminate_backend(?, 5000)")
				.param(row.getInt(1))
				.query()
				.singleRow();
		}
	}

}
