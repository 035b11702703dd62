package io.github.idem.tool;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.github.idem.Downstream;
import io.github.idem.Idempotent;
import io.github.idem.IdempotencyException;
import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.ai.tool.annotation.Tool;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

import static io.github.idem.tool.ScriptedChatModel.call;
import static io.github.idem.tool.ScriptedChatModel.calls;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tools whose effect is in idem's own database: claim, effect and completion commit or
 * roll back together.
 */
abstract class TransactionalToolsTest extends ToolCallTest {

	private Bookings bookings;

	private ForgettingManager manager;

	@Override
	Class<?>[] sources() {
		return new Class<?>[] { Application.class, Beans.class };
	}

	@BeforeEach
	void createTable() {
		this.bookings = this.context.getBean(Bookings.class);
		this.manager = this.context.getBean(ForgettingManager.class);
		this.jdbc.sql("CREATE TABLE IF NOT EXISTS booking (name VARCHAR(100))").update();
		this.jdbc.sql("DELETE FROM booking").update();
		this.bookings.after = () -> {
		};
		this.manager.failAfterCommit = false;
	}

	@Test
	void theEffectAndItsRecordAreCommittedTogetherAndReplayed() {
		book("t1");
		book("t1");
		assertThat(answer()).isEqualTo("\"booked\"");
		assertThat(rowsBooked()).isOne();
		assertThat(operation("t1")).extracting(Operation::status, Operation::attempt)
			.containsExactly(OperationStatus.SUCCEEDED, 1);
		assertThat(this.store.history("t1:call_1")).hasSize(2);
	}

	@Test
	void aToolThatFailsAfterItsEffectLeavesNothingAndMayBeCalledAgain() {
		this.bookings.after = () -> {
			throw new IllegalStateException("no seat after all");
		};
		book("t1");
		assertThat(answer()).contains("no seat after all");
		assertThat(rowsBooked()).isZero();
		assertThat(rows()).isZero();
		this.bookings.after = () -> {
		};
		book("t1");
		assertThat(rowsBooked()).isOne();
		assertThat(operation("t1").attempt()).isOne();
	}

	@Test
	void aTransactionOfTheCallerTakesTheRecordWithIt() {
		transaction().executeWithoutResult((status) -> {
			book("t1");
			status.setRollbackOnly();
		});
		assertThat(rowsBooked()).isZero();
		assertThat(rows()).isZero();
		transaction().executeWithoutResult((status) -> book("t1"));
		assertThat(rowsBooked()).isOne();
		assertThat(operation("t1").status()).isEqualTo(OperationStatus.SUCCEEDED);
		assertThat(this.jdbc.sql("SELECT count(*) FROM idem_discrepancy").query(Long.class).single()).isZero();
	}

	@Test
	void whoeverAsksMeanwhileIsToldSoAndItsOwnTransactionGoesOn() throws Exception {
		CountDownLatch entered = new CountDownLatch(1);
		CountDownLatch finish = new CountDownLatch(1);
		this.bookings.after = () -> {
			entered.countDown();
			try {
				finish.await(20, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		};
		this.model.rounds(calls(call("call_1", "book", "{\"name\":\"ann\"}")));
		CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> ask("t1"),
				(task) -> new Thread(task).start());
		assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();
		transaction().executeWithoutResult((status) -> {
			this.jdbc.sql("INSERT INTO booking VALUES ('something else')").update();
			ask("t1");
			assertThat(answer()).contains("IN_PROGRESS");
			this.jdbc.sql("INSERT INTO booking VALUES ('and more')").update();
		});
		finish.countDown();
		first.join();
		assertThat(rowsBooked()).isEqualTo(3);
		assertThat(operation("t1").status()).isEqualTo(OperationStatus.SUCCEEDED);
		ask("t1");
		assertThat(answer()).isEqualTo("\"booked\"");
		assertThat(rowsBooked()).isEqualTo(3);
	}

	@Test
	void manyAtOnceMakeOneEffect() {
		this.model.rounds(calls(call("call_1", "book", "{\"name\":\"ann\"}")));
		CountDownLatch start = new CountDownLatch(1);
		List<CompletableFuture<String>> all = IntStream.range(0, 4)
			.mapToObj((i) -> CompletableFuture.supplyAsync(() -> {
				try {
					start.await();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
				return ask("t1");
			}, (task) -> new Thread(task).start()))
			.toList();
		start.countDown();
		all.forEach(CompletableFuture::join);
		await().until(() -> rowsBooked() >= 1);
		assertThat(rowsBooked()).isOne();
		assertThat(this.model.toolResponses())
			.allSatisfy((response) -> assertThat(response.responseData()).matches("(?s).*(booked|IN_PROGRESS).*"));
	}

	@Test
	void aCommitThatWasNotAcknowledgedIsLookedUp() {
		this.manager.failAfterCommit = true;
		book("t1");
		assertThat(answer()).contains("booked");
		assertThat(rowsBooked()).isOne();
	}

	@Test
	void aTransactionAboveReadCommittedIsRefusedBeforeTheToolIsEntered() {
		TransactionTemplate serializable = transaction();
		serializable.setIsolationLevel(TransactionDefinition.ISOLATION_SERIALIZABLE);
		assertThatExceptionOfType(IdempotencyException.class)
			.isThrownBy(() -> serializable.executeWithoutResult((status) -> book("t1")))
			.withMessageContaining("READ COMMITTED");
		assertThat(rowsBooked()).isZero();
		assertThat(rows()).isZero();
	}

	private void book(String taskId) {
		this.model.rounds(calls(call("call_1", "book", "{\"name\":\"ann\"}")));
		ask(taskId);
	}

	private String ask(String taskId) {
		return ask(Mode.CALL, this.bookings, (request) -> request.toolContext(Map.of("task_id", taskId)));
	}

	private TransactionTemplate transaction() {
		return new TransactionTemplate(this.manager);
	}

	private long rowsBooked() {
		return this.jdbc.sql("SELECT count(*) FROM booking").query(Long.class).single();
	}

	private Operation operation(String taskId) {
		return this.store.find(taskId + ":call_1").orElseThrow();
	}

	/** A tool that writes into the application's own tables. */
	static class Bookings {

		private final JdbcTemplate jdbc;

		private volatile Runnable after = () -> {
		};

		Bookings(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@Idempotent(downstream = Downstream.TRANSACTIONAL)
		@Tool(description = "Books a seat")
		String book(String name) {
			this.jdbc.update("INSERT INTO booking VALUES (?)", name);
			this.after.run();
			return "booked";
		}

	}

	/** Commits, and may lose the acknowledgement. */
	static class ForgettingManager extends DataSourceTransactionManager {

		private static final long serialVersionUID = 1L;

		private volatile boolean failAfterCommit;

		ForgettingManager(DataSource dataSource) {
			super(dataSource);
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			super.doCommit(status);
			if (this.failAfterCommit) {
				throw new TransactionSystemException("connection lost");
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Beans {

		@Bean
		ForgettingManager transactionManager(DataSource dataSource) {
			return new ForgettingManager(dataSource);
		}

		@Bean
		Bookings bookings(JdbcTemplate jdbc) {
			return new Bookings(jdbc);
		}

	}

}
