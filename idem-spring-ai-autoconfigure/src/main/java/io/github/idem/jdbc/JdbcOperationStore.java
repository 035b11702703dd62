package io.github.idem.jdbc;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import io.github.idem.IdempotencyStoreException;
import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import io.github.idem.identity.CallIdentity;
import io.github.idem.operation.Claim;
import io.github.idem.operation.ClaimRequest;
import io.github.idem.operation.OperationStore;
import io.github.idem.operation.Settlement;
import io.github.idem.operation.Transition;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The store over JDBC, on H2 and PostgreSQL. On PostgreSQL a first call costs two
 * statements and two commits, audit rows included, and a replay one statement that writes
 * nothing.
 * <p>
 * It borrows a connection of its own for each step and never takes part in a transaction
 * of the caller, so a caller inside a transaction needs a pool with two connections. It
 * waits for one as long as the pool does. A thread's interruption is put off until the
 * step is done.
 */
public final class JdbcOperationStore implements OperationStore {

	private static final int MAX_ROUNDS = 100;

	private static final int MAX_REQUEST_IDS = 20;

	private final OperationTable table;

	private final boolean forgetful;

	private JdbcOperationStore(OperationTable table, boolean forgetful) {
		this.table = table;
		this.forgetful = forgetful;
	}

	/**
	 * A store on a database whose schema is in place.
	 * @param dataSource an H2 or PostgreSQL database; a proxy that hands out the
	 * connection of the current transaction is seen through
	 * @param namespace whose operations these are, at most 100 characters
	 * @param schema the schema of the tables; {@code null} for the connection's
	 * @return the store
	 * @throws IdempotencyStoreException if the database cannot be reached, is another
	 * one, or can't be made to keep what it has committed
	 */
	public static JdbcOperationStore create(DataSource dataSource, String namespace, @Nullable String schema) {
		if (namespace.isBlank() || namespace.length() > 100) {
			throw new IdempotencyStoreException("The namespace must have 1 to 100 characters, this one has "
					+ namespace.length() + ". Set idem.namespace, or spring.application.name, which it is taken from.");
		}
		Database database = Database.inspect(dataSource);
		StoreConnections connections = StoreConnections.to(dataSource, database);
		Statements statements = new Statements(database.dialect().source(), schema);
		return new JdbcOperationStore(new OperationTable(database.dialect(), connections, statements, namespace),
				database.inMemory());
	}

	/**
	 * Whether this store forgets everything when the process ends, as an in-memory
	 * database does.
	 * @return {@code true} if no record outlives the process
	 */
	public boolean isVolatile() {
		return this.forgetful;
	}

	@Override
	public Claim claim(ClaimRequest request) {
		CallIdentity call = request.call();
		int collisions = 0;
		for (int round = 0; round < MAX_ROUNDS && collisions < MAX_REQUEST_IDS; round++) {
			String requestId = call.requestId(collisions);
			List<OperationRow> rows = this.table.claim(request, requestId);
			Optional<OperationRow> own = rows.stream().filter((row) -> row.is(call)).findFirst();
			Optional<OperationRow> keyHolder = rows.stream()
				.filter((row) -> row.holds(call.tool(), request.businessKey()))
				.findFirst();
			Claim answer = null;
			if (own.isPresent()) {
				answer = answerByOwn(own.get(), request);
			}
			else if (keyHolder.isPresent()) {
				answer = answerByKeyHolder(keyHolder.get(), call);
			}
			else if (!rows.isEmpty()) {
				collisions++;
				continue;
			}
			if (answer != null) {
				return answer;
			}
			backOff(round);
		}
		throw new IdempotencyStoreException("idem could not claim operation '" + call.requestId(0) + "': "
				+ ((collisions < MAX_REQUEST_IDS) ? "it kept changing" : "its request ids all name other operations")
				+ ". The tool was not entered; call again.");
	}

	/**
	 * What the operation itself has to say.
	 * @param row the operation
	 * @param request who asks
	 * @return the answer; {@code null} if the operation has changed since it was read
	 */
	private @Nullable Claim answerByOwn(OperationRow row, ClaimRequest request) {
		if (row.operation().status() == OperationStatus.FAILED && !row.operation().mayHaveApplied()) {
			return claimAgain(row, request);
		}
		if (row.operation().status() == OperationStatus.IN_PROGRESS && !row.leaseExpired()
				&& row.owner().equals(request.owner())) {
			return new Claim.Granted(row.operation(), row.owner());
		}
		return answerByState(row);
	}

	private @Nullable Claim claimAgain(OperationRow row, ClaimRequest request) {
		Optional<OperationRow> claimed = this.table.claimAgain(row, request);
		if (claimed.isPresent()) {
			return new Claim.Granted(claimed.get().operation(), request.owner());
		}
		String businessRef = row.operation().businessRef();
		if (businessRef == null) {
			return null;
		}
		return this.table.findByBusinessKey(row.operation().tool(), businessRef)
			.filter((holder) -> !holder.is(request.call()))
			.map((holder) -> answerByKeyHolder(holder, request.call()))
			.orElse(null);
	}

	private @Nullable Claim answerByKeyHolder(OperationRow holder, CallIdentity call) {
		return holder.fingerprint().equals(call.fingerprint()) ? answerByState(holder)
				: new Claim.Conflict(holder.operation());
	}

	/**
	 * Answer one who may not run the operation.
	 * @param row the operation
	 * @return the answer; {@code null} if the operation has changed since it was read
	 */
	private @Nullable Claim answerByState(OperationRow row) {
		Operation operation = row.operation();
		return switch (operation.status()) {
			case SUCCEEDED, COMPENSATED -> new Claim.Completed(operation);
			case COMPENSATING -> new Claim.InProgress(operation);
			case IN_DOUBT, FAILED -> new Claim.InDoubt(operation);
			case IN_PROGRESS -> row.leaseExpired()
					? this.table.expire(operation).map((expired) -> new Claim.InDoubt(expired.operation())).orElse(null)
					: new Claim.InProgress(operation);
		};
	}

	@Override
	public Settlement complete(Claim.Granted grant, @Nullable String result) {
		return settle(grant, AttemptOutcome.applied(result));
	}

	@Override
	public Settlement fail(Claim.Granted grant, String error) {
		return settle(grant, AttemptOutcome.notApplied(grant.operation(), error));
	}

	@Override
	public Settlement doubt(Claim.Granted grant, String error) {
		return settle(grant, AttemptOutcome.unknown(error));
	}

	/**
	 * Write an outcome over the state it expects: the claim as it was granted, or, for a
	 * late owner, the doubt its own attempt was put in.
	 */
	private Settlement settle(Claim.Granted grant, AttemptOutcome outcome) {
		Operation granted = grant.operation();
		OperationStatus from = OperationStatus.IN_PROGRESS;
		long version = granted.version();
		for (int round = 0; round < MAX_ROUNDS; round++) {
			Optional<OperationRow> settled = this.table.settle(granted, grant.owner(), from, version, outcome);
			if (settled.isPresent()) {
				return new Settlement.Recorded(settled.get().operation());
			}
			OperationRow current = this.table.findByRequestId(granted.requestId())
				.orElseThrow(() -> new IdempotencyStoreException("Operation '" + granted.requestId() + "' of tool '"
						+ granted.tool() + "' is no longer in the record, so its outcome could not be written. "
						+ "Do not delete operations that are in progress."));
			boolean own = current.owner().equals(grant.owner());
			if (own && outcome.standsIn(current.operation())) {
				return new Settlement.Recorded(current.operation());
			}
			boolean late = current.operation().status() == OperationStatus.IN_DOUBT;
			boolean unchanged = current.operation().status() == from && current.operation().version() == version;
			if (!own || !(late || unchanged)) {
				return superseded(grant, outcome, current.operation());
			}
			from = current.operation().status();
			version = current.operation().version();
			backOff(round);
		}
		throw new IdempotencyStoreException("idem could not settle operation '" + granted.requestId() + "' of tool '"
				+ granted.tool() + "': it kept changing. The same call may be made again.");
	}

	private Settlement superseded(Claim.Granted grant, AttemptOutcome outcome, Operation current) {
		Map<String, @Nullable Object> evidence = new LinkedHashMap<>();
		evidence.put("outcome", outcome.status().name());
		evidence.put("attempt", grant.operation().attempt());
		evidence.put("owner", grant.owner());
		evidence.put("result", outcome.result());
		evidence.put("error", outcome.error());
		this.table.keepDiscrepancy(current, "LATE_RESULT", JsonMapper.shared().writeValueAsString(evidence));
		return new Settlement.Superseded(current);
	}

	@Override
	public boolean renew(Claim.Granted grant, Duration lease) {
		return this.table.renew(grant.operation(), grant.owner(), lease);
	}

	@Override
	public Optional<Operation> find(String requestId) {
		return this.table.findByRequestId(requestId).map(OperationRow::operation);
	}

	@Override
	public Optional<Operation> find(String taskId, String tool, String dedupKey) {
		return this.table.findByDedupKey(taskId, tool, dedupKey).map(OperationRow::operation);
	}

	@Override
	public List<Operation> findByToolCall(String taskId, String toolCallId) {
		return this.table.findByToolCall(taskId, toolCallId).stream().map(OperationRow::operation).toList();
	}

	@Override
	public List<Transition> history(String requestId) {
		return this.table.history(requestId);
	}

	@Override
	public List<Operation> expireLeases(int limit) {
		return this.table.expireDue(limit).stream().map(OperationRow::operation).toList();
	}

	/** The first looks cost nothing more; after that the others get time to finish. */
	private static void backOff(int round) {
		if (round > 2) {
			LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1, 1 + Math.min(round, 20)) * 500_000L);
		}
	}

}
