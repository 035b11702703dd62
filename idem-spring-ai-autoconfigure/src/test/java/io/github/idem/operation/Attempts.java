package io.github.idem.operation;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.github.idem.Downstream;
import io.github.idem.FailedAttempt;
import io.github.idem.SentRequest;
import io.github.idem.identity.CallIdentity;
import io.github.idem.jdbc.JdbcOperationStore;
import io.github.idem.jdbc.SchemaMigration;
import io.github.idem.jdbc.SchemaMode;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Attempts for tests that stand inside of one, each granted by a real store. */
public final class Attempts {

	private static final Duration LEASE = Duration.ofMinutes(1);

	private final OperationStore store;

	private final JdbcClient jdbc;

	private int calls;

	public Attempts() {
		DriverManagerDataSource dataSource = new DriverManagerDataSource(
				"jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
		SchemaMigration.run(dataSource, null, SchemaMode.MIGRATE);
		this.store = JdbcOperationStore.create(dataSource, "test", null);
		this.jdbc = JdbcClient.create(dataSource);
	}

	/** Run a tool inside an attempt. */
	public Seen run(Tool tool) {
		return run(tool, LEASE);
	}

	/** Run a tool whose lease has run out already. */
	public Seen runAfterTheLease(Tool tool) {
		return run(tool, Duration.ZERO);
	}

	/** Let the claim of the last attempt end, as another owner's doing would. */
	public void endClaim() {
		if (this.jdbc.sql("update idem_operation set owner = 'other' where request_id = ?")
			.param(requestId())
			.update() != 1) {
			throw new IllegalStateException("There is no such claim.");
		}
	}

	/** Whether it is on record that the last attempt sends several requests. */
	public boolean severalRecorded() {
		return this.jdbc.sql("select several_requests from idem_operation where request_id = ?")
			.param(requestId())
			.query(Boolean.class)
			.single();
	}

	private String requestId() {
		return "t:c" + this.calls;
	}

	private Seen run(Tool tool, Duration lease) {
		String id = "c" + ++this.calls;
		Claim.Granted grant = (Claim.Granted) this.store.claim(new ClaimRequest(CallIdentity.of("t", id, "charge", id),
				null, null, Downstream.OPAQUE, "{}", UUID.randomUUID().toString(), LEASE));
		RunningCall call = new RunningCall(grant, id, this.store, RunningCall.leaseEnd(System.nanoTime(), lease));
		Throwable[] thrown = new Throwable[1];
		call.enter((running, arguments) -> {
			try {
				tool.run();
			}
			catch (Throwable ex) {
				thrown[0] = ex;
			}
			return null;
		}, "{}");
		return new Seen(thrown[0], call);
	}

	/** A tool's body. */
	@FunctionalInterface
	public interface Tool {

		void run() throws Throwable;

	}

	/** What was seen of an attempt. */
	public record Seen(@Nullable Throwable thrown, RunningCall call) {

		/** What it has sent up to now. */
		public List<SentRequest> sent() {
			return this.call.sent();
		}

		/** The attempt as classifiers are given it. */
		public FailedAttempt failed() {
			if (this.thrown == null) {
				throw new AssertionError("The tool returned.");
			}
			return new FailedAttempt("charge", this.call.requestId(), 1, this.thrown, sent());
		}

	}

}
