package io.github.idem.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import javax.sql.DataSource;

import io.github.idem.IdempotencyStoreException;
import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import io.github.idem.operation.Check;
import io.github.idem.operation.Claim;
import io.github.idem.operation.ClaimRequest;
import io.github.idem.operation.OpenDoubt;
import io.github.idem.operation.OperationStore;
import io.github.idem.operation.Resolution;
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
 * waits for one as long as the pool does, and on PostgreSQL five seconds for a statement.
 * A thread's interruption is put off until the step is done.
 */
public final class JdbcOperationStore implements OperationStore {

	private final Dialect dialect;

	private final Statements statements;

	private final String namespace;

	private final OperationTable table;

	private final DoubtTable doubts;

	private final Claiming claims;

	private final AttemptSettling attempts;

	private final boolean forgetful;

	private JdbcOperationStore(Dialect dialect, Statements statements, String namespace, Steps steps,
			boolean forgetful) {
		this.dialect = dialect;
		this.statements = statements;
		this.namespace = namespace;
		this.table = new OperationTable(dialect, steps, statements, namespace);
		this.doubts = new DoubtTable(dialect, steps, statements, namespace);
		this.claims = new Claiming(this.table);
		this.attempts = new AttemptSettling(this.table, this.doubts);
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
		return new JdbcOperationStore(database.dialect(), statements, namespace, connections, database.inMemory());
	}

	/**
	 * The same store inside the transactions of the application.
	 * @param source the data source that those are on
	 * @param lockTimeout how long a step waits for the transactions of others
	 * @return a store whose steps commit with the transaction that is current then
	 */
	OperationStore joining(DataSource source, Duration lockTimeout) {
		return new JdbcOperationStore(this.dialect, this.statements, this.namespace,
				new JoinedConnections(source, this.dialect, lockTimeout), this.forgetful);
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
		return this.claims.claim(request);
	}

	@Override
	public Settlement complete(Claim.Granted grant, @Nullable String result) {
		return this.attempts.settle(grant, AttemptOutcome.applied(result));
	}

	@Override
	public Settlement fail(Claim.Granted grant, String error) {
		return this.attempts.settle(grant, AttemptOutcome.notApplied(error));
	}

	@Override
	public Settlement doubt(Claim.Granted grant, String error) {
		return this.attempts.settle(grant, AttemptOutcome.unknown(error));
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

	@Override
	public Optional<OpenDoubt> findDoubt(String requestId) {
		return this.doubts.find(requestId);
	}

	@Override
	public Optional<Operation> resolve(Operation operation, Resolution resolution) {
		return this.doubts.resolve(operation, resolution).map(OperationRow::operation);
	}

	@Override
	public Optional<Claim.Granted> sendAgain(Operation inDoubt, String owner, Duration lease, String evidence) {
		Optional<OperationRow> claimed = this.doubts.sendAgain(inDoubt, owner, lease, evidence);
		if (claimed.isEmpty()) {
			claimed = this.table.findByRequestId(inDoubt.requestId())
				.filter((row) -> row.operation().status() == OperationStatus.IN_PROGRESS && !row.leaseExpired()
						&& row.owner().equals(owner));
		}
		return claimed.map((row) -> new Claim.Granted(row.operation(), owner));
	}

	@Override
	public Optional<Operation> releaseKey(Operation operation, String actor, @Nullable String evidence) {
		return this.doubts.releaseKey(operation, actor, evidence).map(OperationRow::operation);
	}

	@Override
	public List<OpenDoubt> takeDue(int perTool, Duration putOff) {
		return this.doubts.takeDue(perTool, putOff);
	}

	@Override
	public void keep(Operation operation, Check check, @Nullable Duration nextLook, boolean needsPerson) {
		this.doubts.keep(operation, check);
		this.doubts.putOff(operation, nextLook, needsPerson);
	}

	@Override
	public void keep(Operation operation, Check check) {
		this.doubts.keep(operation, check);
	}

	@Override
	public List<Check> checks(String requestId) {
		return this.doubts.checks(requestId);
	}

	@Override
	public List<Operation> waitingForPerson(int limit) {
		return this.doubts.waitingForPerson(limit).stream().map(OperationRow::operation).toList();
	}

	@Override
	public boolean recordSeveralRequests(Claim.Granted grant) {
		return this.doubts.recordSeveralRequests(grant.operation(), grant.owner());
	}

	@Override
	public void recordRolledBack(Claim.Granted grant) {
		this.table.keepDiscrepancy(grant.operation(), "ROLLED_BACK",
				JsonMapper.shared()
					.writeValueAsString(
							Map.of("attempt", String.valueOf(grant.operation().attempt()), "owner", grant.owner())));
	}

}
