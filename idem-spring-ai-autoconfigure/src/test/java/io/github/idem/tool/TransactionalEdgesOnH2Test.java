package io.github.idem.tool;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

import com.zaxxer.hikari.HikariDataSource;
import io.github.idem.testing.H2Files;
import org.h2.jdbc.JdbcConnection;

class TransactionalEdgesOnH2Test extends TransactionalEdgesTest {

	@Override
	Map<String, Object> database() {
		return Map.of("spring.datasource.url", H2Files.newDatabase(), "idem.wait.timeout", "2500ms");
	}

	@Override
	String lockTimeout() {
		return "SELECT LOCK_TIMEOUT()";
	}

	@Override
	void kill(Connection connection) throws SQLException {
		this.context.getBean(HikariDataSource.class).evictConnection(connection);
		connection.unwrap(JdbcConnection.class).close();
	}

}
