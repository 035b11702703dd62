package io.github.idem.operation;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import io.github.idem.Duplicates;
import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import io.github.idem.identity.ArgumentSchema;
import io.github.idem.jdbc.JdbcOperationStore;
import io.github.idem.jdbc.SchemaMigration;
import io.github.idem.jdbc.SchemaMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Somebody has the row of an operation locked, from a console for instance, and takes
 * their time.
 */
abstract class LockedRowsTest {

	private static final Duration LONG = Duration.ofMinutes(1);

	private final ToolPolicy tool = new ToolPolicy("charge", ArgumentSchema.of(null), CallBinder.NONE,
			Duplicates.COLLAPSE, Set.of(), EffectPolicy.OPAQUE);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final HikariDataSource dataSource = new HikariDataSource();

	private OperationStore store;

	private JdbcClient jdbc;

	abstract String newDatabase();

	@BeforeEach
	void createStore() {
		this.dataSource.setJdbcUrl(newDatabase());
		this.dataSource.setConnectionTimeout(2_000);
		SchemaMigration.run(this.dataSource, null, SchemaMode.MIGRATE);
		this.store = JdbcOperationStore.create(this.dataSource, "test", null);
		this.jdbc = JdbcClient.create(this.dataSource);
	}

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		this.dataSource.close();
	}

	@Test
	void theLeasesOfOtherOperationsAreRenewedMeanwhile() throws Exception {
		CountDownLatch entered = new CountDownLatch(2);
		CountDownLatch finish = new CountDownLatch(1);
		ToolBody body = (running, arguments) -> {
			entered.countDown();
			awaitLatch(finish);
			return "done";
		};
		try (IdempotentExecutor executor = executor(Duration.ofSeconds(2))) {
			Future<Answer> locked = this.threads.submit(() -> executor.execute(this.tool, call("locked"), body));
			Future<Answer> free = this.threads.submit(() -> executor.execute(this.tool, call("free"), body));
			awaitLatch(entered);
			try (Connection somebody = lock("t1:locked")) {
				Set<OffsetDateTime> leases = new HashSet<>();
				await().atMost(Duration.ofSeconds(20)).until(() -> leases.add(lease("t1:free")) && leases.size() > 5);
				somebody.rollback();
			}
			finish.countDown();
			assertThat(free.get(10, TimeUnit.SECONDS)).isEqualTo(new Answer.Result("t1:free", "done", false));
			assertThat(locked.get(10, TimeUnit.SECONDS)).isEqualTo(new Answer.Result("t1:locked", "done", false));
		}
		assertThat(this.store.history("t1:free")).extracting(Transition::to)
			.containsExactly(OperationStatus.IN_PROGRESS, OperationStatus.SUCCEEDED);
	}

	@Test
	void theCallerGetsTheTrueResultWhenPatienceIsOver() throws Exception {
		Connection[] somebody = new Connection[1];
		try (IdempotentExecutor executor = executor(LONG)) {
			Future<Answer> answer = this.threads
				.submit(() -> executor.execute(this.tool, call("c1"), (running, json) -> {
					somebody[0] = lock("t1:c1");
					return "done";
				}));
			assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo(new Answer.Result("t1:c1", "done", false));
			assertThat(this.store.find("t1:c1")).map(Operation::status).contains(OperationStatus.IN_PROGRESS);
		}
		finally {
			somebody[0].rollback();
			somebody[0].close();
		}
	}

	@Test
	void anOutcomeIsWrittenOnceTheLockIsGone() throws Exception {
		Connection[] somebody = new Connection[1];
		EngineSettings settings = Engines.settings(new IdempotentExecutor.Timing(LONG, LONG, LONG));
		EngineSettings patient = new EngineSettings(settings.timing(), settings.retry(), settings.probe(),
				settings.probeTimeout(), settings.downstreamWindow(), LONG);
		CountDownLatch failed = new CountDownLatch(1);
		OperationStore watched = (OperationStore) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { OperationStore.class }, (proxy, method, arguments) -> {
					try {
						return method.invoke(this.store, arguments);
					}
					catch (InvocationTargetException ex) {
						failed.countDown();
						throw ex.getCause();
					}
				});
		try (IdempotentExecutor executor = new IdempotentExecutor(watched, patient, EngineHooks.none())) {
			Future<Answer> answer = this.threads
				.submit(() -> executor.execute(this.tool, call("c1"), (running, json) -> {
					somebody[0] = lock("t1:c1");
					return "done";
				}));
			awaitLatch(failed);
			somebody[0].rollback();
			assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo(new Answer.Result("t1:c1", "done", false));
		}
		finally {
			somebody[0].close();
		}
		assertThat(this.store.find("t1:c1")).map(Operation::result).contains("done");
	}

	private IdempotentExecutor executor(Duration lease) {
		return Engines.on(this.store, new IdempotentExecutor.Timing(lease, LONG, LONG));
	}

	private static IncomingCall call(String id) {
		return new IncomingCall("t1", id, null, "{\"order\":\"" + id + "\"}", Map.of(), LoopPosition.FIRST);
	}

	private OffsetDateTime lease(String requestId) {
		return this.jdbc.sql("SELECT lease_until FROM idem_operation WHERE request_id = ?")
			.param(requestId)
			.query(OffsetDateTime.class)
			.single();
	}

	private Connection lock(String requestId) {
		try {
			Connection connection = this.dataSource.getConnection();
			connection.setAutoCommit(false);
			try (Statement statement = connection.createStatement();
					ResultSet row = statement.executeQuery(
							"SELECT status FROM idem_operation WHERE request_id = '" + requestId + "' FOR UPDATE")) {
				assertThat(row.next()).isTrue();
			}
			return connection;
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void awaitLatch(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
