package io.github.idem.tool;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.idem.Downstream;
import io.github.idem.IdempotencyException;
import io.github.idem.Idempotent;
import io.github.idem.IdempotentTools;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Where a transaction does not end as the tool does, or not when it does: what the caller
 * is told is what became of the effect, and its own transaction is not harmed.
 */
abstract class TransactionalEdgesTest extends ToolCallTest {

	private ExecutorService threads = Executors.newCachedThreadPool();

	private Seats seats;

	private UnreliableManager manager;

	/** The query for how long statements wait for locks. */
	abstract String lockTimeout();

	/** End the connection of the current transaction from outside. */
	abstract void kill(Connection connection) throws SQLException;

	@Override
	Class<?>[] sources() {
		return new Class<?>[] { Application.class, Beans.class };
	}

	@BeforeEach
	void createTable() {
		this.threads = Executors.newCachedThreadPool();
		this.seats = this.context.getBean(Seats.class);
		this.manager = this.context.getBean(UnreliableManager.class);
		this.jdbc.sql("CREATE TABLE IF NOT EXISTS seat (name VARCHAR(100))").update();
		this.jdbc.sql("DELETE FROM seat").update();
		this.seats.after = () -> "booked";
		this.manager.commit = Commit.AS_ASKED;
	}

	@AfterEach
	void endThreads() {
		Thread.interrupted();
		this.threads.shutdownNow();
	}

	@Test
	void aTransactionThatIsMarkedToRollBackIsNoSuccess() {
		this.seats.after = this::markInSecret;
		assertThatExceptionOfType(UnexpectedRollbackException.class)
			.isThrownBy(() -> transaction().executeWithoutResult((status) -> {
				this.jdbc.sql("INSERT INTO seat VALUES ('of the caller')").update();
				assertThat(book("t1")).doesNotContain("booked");
			}));
		assertThat(book("t1")).doesNotContain("booked");
		assertNothingThere();
	}

	@Test
	void aToolThatFailsTakesTheTransactionOfItsCallerWithIt() {
		this.seats.after = () -> {
			throw new IllegalStateException("no seat after all");
		};
		assertThatExceptionOfType(UnexpectedRollbackException.class)
			.isThrownBy(() -> transaction().executeWithoutResult((status) -> {
				this.jdbc.sql("INSERT INTO seat VALUES ('of the caller')").update();
				assertThat(book("t1")).isEqualTo("no seat after all");
			}));
		assertNothingThere();
	}

	@ParameterizedTest
	@EnumSource
	void aToolThatIsCalledWhenItsCallerHasCommittedIsATransactionOfItsOwn(Phase phase) {
		this.seats.after = () -> {
			throw new IllegalStateException("no seat after all");
		};
		assertThat(bookIn(phase)).isEqualTo("no seat after all");
		assertNothingThere();
		this.seats.after = () -> "booked";
		assertThat(bookIn(phase)).contains("booked");
		assertOneSeat();
	}

	@Test
	void aToolThatIsCalledInATransactionBegunAfterTheCommitOfAnotherJoinsIt() {
		TransactionTemplate fresh = new TransactionTemplate(this.manager);
		fresh.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		in(Phase.AFTER_COMMIT, () -> fresh.executeWithoutResult((status) -> {
			assertThat(book("t1")).contains("booked");
			status.setRollbackOnly();
		}));
		assertNothingThere();
	}

	@Test
	void aResultThatReportsAFailureIsRolledBack() {
		this.seats.after = () -> "Error: no seat after all";
		assertThat(book("t1")).contains("looks like an error");
		assertNothingThere();
	}

	@Test
	void theCallOfAnInterruptedThreadDoesNotEnterItsToolAndLeavesNothing() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(IdempotencyException.class).isThrownBy(() -> book("t1"))
			.withMessageContaining("interrupted");
		assertThat(Thread.interrupted()).isTrue();
		assertNothingThere();
		assertThat(book("t1")).contains("booked");
		assertOneSeat();
	}

	@Test
	void aCommitThatIsRefusedIsADefiniteFailure() {
		this.manager.commit = Commit.REFUSED;
		assertThat(book("t1")).contains("nothing was done");
		assertNothingThere();
		this.manager.commit = Commit.AS_ASKED;
		assertThat(book("t1")).contains("booked");
		assertOneSeat();
	}

	@Test
	void aCommitThatIsStillUnderWayIsWaitedFor() {
		this.manager.commit = Commit.LATE;
		assertThat(book("t1")).as("never a failure, since it is done").contains("booked");
		await().untilAsserted(this::assertOneSeat);
	}

	@Test
	void aConnectionThatDiesAfterTheEffectLeavesNothing() {
		this.seats.after = () -> {
			killOwnConnection();
			this.jdbc.sql("INSERT INTO seat VALUES ('and one more')").update();
			return "booked";
		};
		assertThat(book("t1")).contains("nothing was done");
		assertNothingThere();
		this.seats.after = () -> {
			killOwnConnection();
			return "booked";
		};
		assertThat(outcome(() -> book("t1"))).doesNotContain("booked");
		assertNothingThere();
		this.seats.after = () -> "booked";
		assertThat(book("t1")).contains("booked");
		assertOneSeat();
	}

	@Test
	void aToolThatIsInterruptedLeavesNothingAndTheDatabaseInOrder() {
		this.seats.after = () -> {
			throw new InterruptedException("cancelled");
		};
		assertThat(book("t1")).contains("cancelled");
		assertThat(Thread.interrupted()).as("the thread still knows").isTrue();
		assertNothingThere();
	}

	@Test
	void oneThatWaitsInATransactionOfItsCallerGetsTheResultAndTheOtherWorkIsKept() throws Exception {
		CountDownLatch entered = new CountDownLatch(1);
		CountDownLatch finish = new CountDownLatch(1);
		this.seats.after = holding(entered, finish);
		Future<String> first = this.threads.submit(() -> book("t1"));
		assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();
		transaction().executeWithoutResult((status) -> {
			this.jdbc.sql("INSERT INTO seat VALUES ('something else')").update();
			this.threads.submit(() -> {
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
				finish.countDown();
			});
			assertThat(book("t1")).contains("booked");
			this.jdbc.sql("INSERT INTO seat VALUES ('and more')").update();
		});
		assertThat(first.get(20, TimeUnit.SECONDS)).contains("booked");
		assertThat(seats()).isEqualTo(3);
		assertThat(rows()).isOne();
	}

	@Test
	void howLongStatementsWaitIsAsItWasAfterAClaimThatWonOneThatLostAndOneThatWasBlocked() throws Exception {
		CountDownLatch entered = new CountDownLatch(1);
		CountDownLatch finish = new CountDownLatch(1);
		transaction().executeWithoutResult((status) -> {
			String before = this.jdbc.sql(lockTimeout()).query(String.class).single();
			book("t1");
			assertThat(this.jdbc.sql(lockTimeout()).query(String.class).single()).isEqualTo(before);
			book("t1");
			assertThat(this.jdbc.sql(lockTimeout()).query(String.class).single()).isEqualTo(before);
		});
		this.seats.after = holding(entered, finish);
		Future<String> first = this.threads.submit(() -> book("t2"));
		assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();
		transaction().executeWithoutResult((status) -> {
			String before = this.jdbc.sql(lockTimeout()).query(String.class).single();
			assertThat(book("t2")).contains("IN_PROGRESS");
			assertThat(this.jdbc.sql(lockTimeout()).query(String.class).single()).isEqualTo(before);
		});
		finish.countDown();
		first.get(20, TimeUnit.SECONDS);
	}

	@Test
	void eightAtOnceAreOneEffectAndGetItsResult() throws Exception {
		CountDownLatch start = new CountDownLatch(1);
		List<Future<String>> all = IntStream.range(0, 8).mapToObj((i) -> this.threads.submit(() -> {
			start.await();
			return book("t1");
		})).toList();
		start.countDown();
		for (Future<String> one : all) {
			assertThat(one.get(30, TimeUnit.SECONDS)).containsAnyOf("booked", "IN_PROGRESS");
		}
		assertOneSeat();
	}

	@Test
	void aBusinessKeyIsOneEffectOverTasksAlsoWhileTheFirstIsUnderWay() throws Exception {
		CountDownLatch entered = new CountDownLatch(1);
		CountDownLatch finish = new CountDownLatch(1);
		this.seats.after = holding(entered, finish);
		Future<String> first = this.threads.submit(() -> call("reserve", "t1", "ann"));
		assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();
		assertThat(call("reserve", "t2", "ann")).contains("IN_PROGRESS");
		finish.countDown();
		assertThat(first.get(20, TimeUnit.SECONDS)).contains("booked");
		assertThat(call("reserve", "t2", "ann")).contains("booked");
		assertThat(call("reserve", "t2", "Ann")).contains("CONFLICT");
		assertOneSeat();
	}

	@Test
	void whatWasInDoubtBeforeTheToolBecameTransactionalStaysSo() {
		book("t1");
		this.jdbc.sql("UPDATE idem_operation SET status = 'IN_DOUBT', may_have_applied = TRUE").update();
		transaction().executeWithoutResult((status) -> {
			assertThat(book("t1")).contains("IN_DOUBT");
			this.jdbc.sql("INSERT INTO seat VALUES ('something else')").update();
		});
		assertThat(seats()).isEqualTo(2);
	}

	private String bookIn(Phase phase) {
		String[] told = new String[1];
		in(phase, () -> told[0] = book("t1"));
		return told[0];
	}

	private void in(Phase phase, Runnable work) {
		transaction().executeWithoutResult(
				(status) -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
					@Override
					public void afterCommit() {
						if (phase == Phase.AFTER_COMMIT) {
							work.run();
						}
					}

					@Override
					public void afterCompletion(int status) {
						if (phase == Phase.AFTER_COMPLETION) {
							work.run();
						}
					}
				}));
	}

	private String book(String taskId) {
		return call("book", taskId, "ann");
	}

	/** What the tool gives, or what the model is told of its failure. */
	private String call(String tool, String taskId, String name) {
		ToolCallback callback = Stream.of(IdempotentTools.wrap(ToolCallbacks.from(this.seats)))
			.filter((candidate) -> candidate.getToolDefinition().name().equals(tool))
			.findFirst()
			.orElseThrow();
		try {
			return callback.call("{\"name\":\"%s\"}".formatted(name), new ToolContext(Map.of("task_id", taskId)));
		}
		catch (ToolExecutionException ex) {
			return String.valueOf(ex.getMessage());
		}
	}

	private static String outcome(Callable<String> call) {
		try {
			return call.call();
		}
		catch (Exception ex) {
			return ex.toString();
		}
	}

	private static Callable<String> holding(CountDownLatch entered, CountDownLatch finish) {
		return () -> {
			entered.countDown();
			finish.await(20, TimeUnit.SECONDS);
			return "booked";
		};
	}

	/** Somebody else's failure, which the tool gets over. */
	private String markInSecret() {
		try {
			transaction().executeWithoutResult((status) -> {
				throw new IllegalStateException("marked");
			});
		}
		catch (IllegalStateException ex) {
			return "booked";
		}
		throw new AssertionError();
	}

	private void killOwnConnection() throws SQLException {
		DataSource dataSource = this.context.getBean(DataSource.class);
		Connection connection = DataSourceUtils.getConnection(dataSource);
		kill(connection);
		DataSourceUtils.releaseConnection(connection, dataSource);
	}

	private TransactionTemplate transaction() {
		return new TransactionTemplate(this.manager);
	}

	private long seats() {
		return this.jdbc.sql("SELECT count(*) FROM seat").query(Long.class).single();
	}

	private void assertNothingThere() {
		assertThat(seats()).isZero();
		assertThat(rows()).isZero();
	}

	private void assertOneSeat() {
		assertThat(seats()).isOne();
		assertThat(this.jdbc.sql("SELECT status FROM idem_operation").query(String.class).single())
			.isEqualTo("SUCCEEDED");
	}

	/** Tools that write into the application's own tables. */
	static class Seats {

		private final JdbcTemplate jdbc;

		private volatile Callable<String> after = () -> "booked";

		Seats(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@Idempotent(downstream = Downstream.TRANSACTIONAL)
		@Tool(description = "Books a seat")
		String book(String name) throws Exception {
			this.jdbc.update("INSERT INTO seat VALUES (?)", name);
			return this.after.call();
		}

		@Idempotent(downstream = Downstream.TRANSACTIONAL, key = "#name.toLowerCase()")
		@Tool(description = "Reserves a seat")
		String reserve(String name) throws Exception {
			this.jdbc.update("INSERT INTO seat VALUES (?)", name);
			return this.after.call();
		}

	}

	/** When a transaction tells who wants to know. */
	private enum Phase {

		AFTER_COMMIT, AFTER_COMPLETION

	}

	private enum Commit {

		AS_ASKED, REFUSED, LATE

	}

	/** Its commits may fail, and then have happened all the same a little later. */
	static class UnreliableManager extends DataSourceTransactionManager {

		private static final long serialVersionUID = 1L;

		private volatile Commit commit = Commit.AS_ASKED;

		private transient volatile @Nullable Connection underWay;

		private transient volatile CountDownLatch begun = new CountDownLatch(1);

		UnreliableManager(DataSource dataSource) {
			super(dataSource);
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			super.doBegin(transaction, definition);
			this.begun.countDown();
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			switch (this.commit) {
				case AS_ASKED -> super.doCommit(status);
				case REFUSED -> {
					super.doRollback(status);
					throw new TransactionSystemException("a deferred constraint");
				}
				case LATE -> {
					this.commit = Commit.AS_ASKED;
					ConnectionHolder holder = (ConnectionHolder) TransactionSynchronizationManager
						.getResource(dataSource());
					this.underWay = (holder != null) ? holder.getConnection() : null;
					this.begun = new CountDownLatch(1);
					throw new TransactionSystemException("connection lost");
				}
			}
		}

		@Override
		protected void doCleanupAfterCompletion(Object transaction) {
			Connection connection = this.underWay;
			if (connection == null) {
				super.doCleanupAfterCompletion(transaction);
				return;
			}
			this.underWay = null;
			TransactionSynchronizationManager.unbindResource(dataSource());
			new Thread(() -> commitLate(connection)).start();
		}

		private void commitLate(Connection connection) {
			try {
				this.begun.await(10, TimeUnit.SECONDS);
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
				connection.commit();
				connection.setAutoCommit(true);
				connection.close();
			}
			catch (InterruptedException | SQLException ex) {
				throw new IllegalStateException(ex);
			}
		}

		private DataSource dataSource() {
			return obtainDataSource();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Beans {

		@Bean
		UnreliableManager transactionManager(DataSource dataSource) {
			return new UnreliableManager(dataSource);
		}

		@Bean
		Seats seats(JdbcTemplate jdbc) {
			return new Seats(jdbc);
		}

	}

}
