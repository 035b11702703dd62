package io.github.idem.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import com.zaxxer.hikari.HikariDataSource;
import io.github.idem.Downstream;
import io.github.idem.Operation;
import io.github.idem.Outcome;
import io.github.idem.OutcomeProbe;
import io.github.idem.identity.CallIdentity;
import io.github.idem.operation.Check;
import io.github.idem.operation.Claim;
import io.github.idem.operation.ClaimRequest;
import io.github.idem.operation.OpenDoubt;
import io.github.idem.operation.OperationStore;
import io.github.idem.operation.Prober;
import io.github.idem.operation.ToolRegistry.KnownEffect;
import io.github.idem.recovery.DoubtRecovery;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/** Which doubts are looked at in the background, and by whom. */
abstract class DueDoubtsTest {

	private static final Duration AN_HOUR = Duration.ofHours(1);

	private HikariDataSource dataSource;

	private OperationStore store;

	private JdbcClient jdbc;

	abstract String newDatabase();

	@BeforeEach
	void createStore() {
		this.dataSource = new HikariDataSource();
		this.dataSource.setJdbcUrl(newDatabase());
		this.dataSource.setMaximumPoolSize(10);
		SchemaMigration.run(this.dataSource, null, SchemaMode.MIGRATE);
		this.store = JdbcOperationStore.create(this.dataSource, "due", null);
		this.jdbc = JdbcClient.create(this.dataSource);
	}

	@AfterEach
	void close() {
		this.dataSource.close();
	}

	@Test
	void eachDoubtIsTakenByOneNodeHoweverManyLookAtOnce() throws Exception {
		for (int i = 0; i < 200; i++) {
			doubt("task" + i, "tool" + i % 4, Downstream.QUERYABLE);
		}
		makeDue();
		ConcurrentLinkedQueue<String> taken = new ConcurrentLinkedQueue<>();
		CountDownLatch start = new CountDownLatch(1);
		ExecutorService nodes = Executors.newFixedThreadPool(8);
		for (int node = 0; node < 8; node++) {
			nodes.execute(() -> {
				await(start);
				for (int empty = 0; empty < 3;) {
					List<OpenDoubt> found = this.store.takeDue(10, AN_HOUR);
					found.forEach((doubt) -> taken.add(doubt.operation().requestId()));
					empty = found.isEmpty() ? empty + 1 : 0;
				}
			});
		}
		start.countDown();
		nodes.shutdown();
		assertThat(nodes.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
		List<OpenDoubt> rest = this.store.takeDue(200, AN_HOUR);
		rest.forEach((doubt) -> taken.add(doubt.operation().requestId()));
		assertThat(taken).hasSize(200).doesNotHaveDuplicates();
	}

	@Test
	void aToolWithManyDoubtsDoesNotStarveOneWithFew() {
		for (int i = 0; i < 60; i++) {
			doubt("task" + i, "busy", Downstream.QUERYABLE);
		}
		doubt("last", "quiet", Downstream.QUERYABLE);
		makeDue();
		Map<String, Long> taken = this.store.takeDue(20, AN_HOUR)
			.stream()
			.collect(Collectors.groupingBy((doubt) -> doubt.operation().tool(), Collectors.counting()));
		assertThat(taken).isEqualTo(Map.of("busy", 20L, "quiet", 1L));
		assertThat(this.store.takeDue(100, AN_HOUR)).hasSize(40);
	}

	@Test
	void whatIsOpaqueOrPutOffOrMovedOnIsNotDue() {
		doubt("opaque", "charge", Downstream.OPAQUE);
		OpenDoubt putOff = doubt("put off", "charge", Downstream.QUERYABLE);
		OpenDoubt never = doubt("never", "charge", Downstream.QUERYABLE);
		doubt("due", "charge", Downstream.QUERYABLE);
		makeDue();
		Check check = new Check(Check.Kind.PROBE, Duration.ofMillis(7), "in doubt", "NotFound[]");
		this.store.keep(putOff.operation(), check, AN_HOUR, false);
		this.store.keep(never.operation(), check, null, true);
		assertThat(this.store.takeDue(10, AN_HOUR)).extracting((doubt) -> doubt.operation().taskId())
			.containsExactly("due");
		assertThat(this.store.findDoubt(putOff.operation().requestId())).map(OpenDoubt::checks).contains(1);
		assertThat(this.store.checks(putOff.operation().requestId())).containsExactly(check);
		assertThat(this.store.waitingForPerson(10)).extracting((operation) -> operation.taskId())
			.containsExactly("opaque", "never");
	}

	@Test
	void whatIsKeptAboutAnOlderVersionPutsNothingOff() {
		OpenDoubt doubt = doubt("task", "charge", Downstream.QUERYABLE);
		this.jdbc.sql("UPDATE idem_operation SET version = version + 1").update();
		makeDue();
		this.store.keep(doubt.operation(), new Check(Check.Kind.PROBE, Duration.ZERO, "in doubt", null), AN_HOUR, true);
		assertThat(this.store.takeDue(10, AN_HOUR)).hasSize(1);
	}

	@Test
	void howeverLongALookTakesNoDoubtIsLookedAtByTwoAtOnce() throws Exception {
		for (int i = 0; i < 8; i++) {
			doubt("task" + i, "slow", Downstream.QUERYABLE);
		}
		makeDue();
		ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();
		OutcomeProbe probe = new OutcomeProbe() {
			@Override
			public String tool() {
				return "slow";
			}

			@Override
			public Outcome probe(Operation operation) throws InterruptedException {
				asked.add(operation.requestId());
				Thread.sleep(250);
				return new Outcome.Applied("found");
			}
		};
		DoubtRecovery recovery = new DoubtRecovery(this.store, (tool) -> KnownEffect.ofProbe(probe),
				new Prober(Duration.ofMillis(700)),
				new DoubtRecovery.Limits(Duration.ofMillis(100), Duration.ZERO, AN_HOUR, 3, Duration.ofMillis(1200)));
		ExecutorService workers = Executors.newCachedThreadPool();
		Awaitility.await().pollInterval(Duration.ofMillis(50)).atMost(Duration.ofSeconds(60)).until(() -> {
			recovery.run(workers);
			return this.jdbc.sql("SELECT COUNT(*) FROM idem_operation WHERE status = 'SUCCEEDED'")
				.query(Long.class)
				.single() == 8;
		});
		workers.shutdown();
		assertThat(workers.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
		assertThat(asked).hasSize(8).doesNotHaveDuplicates();
	}

	OpenDoubt doubt(String task, String tool, Downstream downstream) {
		Claim claim = this.store.claim(new ClaimRequest(CallIdentity.of(task, "call", tool, "f"), null, null,
				downstream, "{}", task, AN_HOUR));
		this.store.doubt((Claim.Granted) claim, "lost");
		return this.store.findDoubt(claim.operation().requestId()).orElseThrow();
	}

	OperationStore store() {
		return this.store;
	}

	HikariDataSource dataSource() {
		return this.dataSource;
	}

	void makeDue() {
		this.jdbc.sql("UPDATE idem_operation SET next_check_at = created_at WHERE next_check_at IS NOT NULL").update();
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
