package io.github.idem.tool;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

import io.github.idem.Decision;
import io.github.idem.Operation;
import io.github.idem.OperationResolver;
import io.github.idem.OperationStatus;
import io.github.idem.operation.OperationStore;
import io.github.idem.operation.Transition;
import io.github.idem.testing.EmbeddedPostgresServer;
import io.github.idem.tool.CrashPoint.Kind;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A process is killed at every point of a call, for every kind of downstream; the next
 * one finds out, or a person does. On PostgreSQL, with a gateway that outlives them.
 */
class CrashMatrixTest {

	private static final Duration PATIENCE = Duration.ofSeconds(40);

	private static final List<String> TABLE = new ArrayList<>(List.of("%-27s %-13s %-8s %-22s %-26s %-8s %s".formatted(
			"killed", "downstream", "effects", "after recovery", "settled by", "effects", "after the next call")));

	@AfterAll
	static void print() {
		System.out.println(String.join(System.lineSeparator(), TABLE));
	}

	@ParameterizedTest
	@EnumSource
	void neverTwoEffectsNeverASuccessWithoutOneNeverAFailureWithOne(CrashPoint point) throws Exception {
		String url = EmbeddedPostgresServer.newDatabase();
		JdbcClient database = JdbcClient.create(new DriverManagerDataSource(url));
		database.sql("CREATE TABLE booking (name VARCHAR(10))").update();
		try (CrashGateway gateway = new CrashGateway(point)) {
			killAt(point, url, gateway);
			List<Long> effectsAtDeath = point.kinds().stream().map((kind) -> effects(kind, gateway, database)).toList();
			try (ConfigurableApplicationContext next = CrashingApplication.start(url, gateway.url(), null)) {
				int row = 0;
				for (Kind kind : point.kinds()) {
					Cell cell = new Cell(point, kind, gateway, next, database);
					String recovered = cell.afterRecovery();
					String settledBy = cell.settleByHandIfNeeded();
					String called = cell.afterTheNextCall();
					TABLE.add("%-27s %-13s %-8d %-22s %-26s %-8d %s".formatted(point, kind, effectsAtDeath.get(row++),
							recovered, settledBy, effects(kind, gateway, database), called));
				}
			}
		}
	}

	private static long effects(Kind kind, CrashGateway gateway, JdbcClient database) {
		return (kind == Kind.TRANSACTIONAL) ? database.sql("SELECT count(*) FROM booking").query(Long.class).single()
				: gateway.effects(kind);
	}

	private static void killAt(CrashPoint point, String url, CrashGateway gateway)
			throws IOException, InterruptedException {
		Process process = new ProcessBuilder(ProcessHandle.current().info().command().orElse("java"),
				"-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
				CrashingApplication.class.getName(), point.name(), url, gateway.url())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start();
		try {
			await(point + " is reached").atMost(Duration.ofSeconds(60))
				.until(() -> gateway.reached.containsAll(point.kinds()));
		}
		finally {
			process.destroyForcibly().waitFor();
		}
		gateway.crashed();
	}

	/** One kind of downstream after one crash. */
	private record Cell(CrashPoint point, Kind kind, CrashGateway gateway, ConfigurableApplicationContext next,
			JdbcClient database) {

		/** What evidence alone makes of it. */
		String afterRecovery() {
			boolean rolledBack = this.kind == Kind.TRANSACTIONAL && this.point != CrashPoint.AFTER_COMMIT;
			if (this.point == CrashPoint.BEFORE_CLAIM || rolledBack) {
				assertThat(operations()).isEmpty();
				assertThat(effects()).isZero();
				return "no record";
			}
			if (this.point == CrashPoint.REQUEST_SENT_APPLIED_LATE) {
				await().atMost(PATIENCE).until(() -> operation().status() != OperationStatus.IN_PROGRESS);
				this.gateway.deliver();
			}
			await(this.point + " " + this.kind + " comes to rest").atMost(PATIENCE)
				.until(() -> isFinal(operation()) || waits());
			check();
			assertThat(operation().status()).as("%s %s", this.point, this.kind).isIn(expected());
			return operation().status() + (waits() ? ", a person" : "") + " " + operation().attempt();
		}

		private List<OperationStatus> expected() {
			boolean applied = effects() == 1;
			boolean recorded = this.point == CrashPoint.AFTER_COMPLETION || this.point == CrashPoint.AFTER_RESOLUTION;
			return switch (this.kind) {
				case OPAQUE -> List.of(recorded ? OperationStatus.SUCCEEDED : OperationStatus.IN_DOUBT);
				case QUERYABLE -> List.of(applied ? OperationStatus.SUCCEEDED : OperationStatus.IN_DOUBT);
				case IDEMPOTENT, TRANSACTIONAL -> List.of(OperationStatus.SUCCEEDED);
			};
		}

		/** A person looks into the gateway's ledger, or has the request cancelled. */
		String settleByHandIfNeeded() {
			if (operations().isEmpty()) {
				return "-";
			}
			Operation operation = operation();
			if (operation.status() == OperationStatus.IN_DOUBT) {
				boolean applied = effects() == 1;
				if (!applied) {
					this.gateway.cancel(operation.requestId());
				}
				this.next.getBean(OperationResolver.class)
					.resolve(operation.requestId(), operation.version(),
							applied ? new Decision.Applied("found by hand") : new Decision.NotApplied(), "alice",
							"looked into the ledger");
				check();
			}
			List<Transition> history = store().history(operation.requestId());
			Transition last = history.get(history.size() - 1);
			return (last.trigger() == Transition.Trigger.RETURNED) ? "the tool's return, " + operation().attempt()
					: last.trigger() + " " + last.actor();
		}

		/** The same call again: its effect is there once, whatever happened. */
		String afterTheNextCall() {
			CrashingApplication.call(this.next, this.kind);
			check();
			assertThat(effects()).isOne();
			assertThat(operation().status()).isEqualTo(OperationStatus.SUCCEEDED);
			return operation().status() + " " + operation().attempt();
		}

		private void check() {
			Operation operation = operation();
			long effects = effects();
			assertThat(effects).as("%s %s: effects", this.point, this.kind).isLessThanOrEqualTo(1);
			if (operation.status() == OperationStatus.SUCCEEDED) {
				assertThat(effects).as("%s %s: SUCCEEDED without effect", this.point, this.kind).isOne();
			}
			if (operation.status() == OperationStatus.FAILED) {
				assertThat(effects).as("%s %s: FAILED with effect", this.point, this.kind).isZero();
			}
			assertThat(store().history(operation.requestId())).extracting(Transition::version)
				.containsExactlyElementsOf(LongStream.rangeClosed(1, operation.version()).boxed().toList());
		}

		private long effects() {
			return CrashMatrixTest.effects(this.kind, this.gateway, this.database);
		}

		private boolean waits() {
			return this.next.getBean(OperationResolver.class)
				.waiting(100)
				.stream()
				.anyMatch((operation) -> operation.taskId().equals(this.kind.name()));
		}

		private static boolean isFinal(Operation operation) {
			return operation.status() == OperationStatus.SUCCEEDED || operation.status() == OperationStatus.FAILED;
		}

		private Operation operation() {
			List<String> ids = operations();
			assertThat(ids).hasSize(1);
			return store().find(ids.get(0)).orElseThrow();
		}

		private List<String> operations() {
			return this.next.getBean(JdbcClient.class)
				.sql("SELECT request_id FROM idem_operation WHERE task_id = :task")
				.param("task", this.kind.name())
				.query(String.class)
				.list();
		}

		private OperationStore store() {
			return this.next.getBean(OperationStore.class);
		}

	}

}
