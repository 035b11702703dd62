package io.github.idem.operation;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.idem.Operation;
import org.jspecify.annotations.Nullable;

/** Counts what is asked of a real store. */
final class CountingStore implements OperationStore {

	final AtomicInteger claims = new AtomicInteger();

	final AtomicInteger finds = new AtomicInteger();

	private final OperationStore delegate;

	CountingStore(OperationStore delegate) {
		this.delegate = delegate;
	}

	@Override
	public Claim claim(ClaimRequest request) {
		Claim claim = this.delegate.claim(request);
		this.claims.incrementAndGet();
		return claim;
	}

	@Override
	public Settlement complete(Claim.Granted grant, @Nullable String result) {
		return this.delegate.complete(grant, result);
	}

	@Override
	public Settlement fail(Claim.Granted grant, String error) {
		return this.delegate.fail(grant, error);
	}

	@Override
	public Settlement doubt(Claim.Granted grant, String error) {
		return this.delegate.doubt(grant, error);
	}

	@Override
	public boolean renew(Claim.Granted grant, Duration lease) {
		return this.delegate.renew(grant, lease);
	}

	@Override
	public Optional<Operation> find(String requestId) {
		this.finds.incrementAndGet();
		return this.delegate.find(requestId);
	}

	@Override
	public Optional<Operation> find(String taskId, String tool, String dedupKey) {
		return this.delegate.find(taskId, tool, dedupKey);
	}

	@Override
	public List<Operation> findByToolCall(String taskId, String toolCallId) {
		return this.delegate.findByToolCall(taskId, toolCallId);
	}

	@Override
	public List<Transition> history(String requestId) {
		return this.delegate.history(requestId);
	}

	@Override
	public List<Operation> expireLeases(int limit) {
		return this.delegate.expireLeases(limit);
	}

	@Override
	public Optional<OpenDoubt> findDoubt(String requestId) {
		return this.delegate.findDoubt(requestId);
	}

	@Override
	public Optional<Operation> resolve(Operation operation, Resolution resolution) {
		return this.delegate.resolve(operation, resolution);
	}

	@Override
	public Optional<Claim.Granted> sendAgain(Operation inDoubt, String owner, Duration lease, String evidence) {
		return this.delegate.sendAgain(inDoubt, owner, lease, evidence);
	}

	@Override
	public Optional<Operation> releaseKey(Operation operation, String actor, @Nullable String evidence) {
		return this.delegate.releaseKey(operation, actor, evidence);
	}

	@Override
	public List<OpenDoubt> takeDue(int perTool, Duration putOff) {
		return this.delegate.takeDue(perTool, putOff);
	}

	@Override
	public void keep(Operation operation, Check check, @Nullable Duration nextLook, boolean needsPerson) {
		this.delegate.keep(operation, check, nextLook, needsPerson);
	}

	@Override
	public void keep(Operation operation, Check check) {
		this.delegate.keep(operation, check);
	}

	@Override
	public List<Check> checks(String requestId) {
		return this.delegate.checks(requestId);
	}

	@Override
	public List<Operation> waitingForPerson(int limit) {
		return this.delegate.waitingForPerson(limit);
	}

	@Override
	public boolean recordSeveralRequests(Claim.Granted grant) {
		return this.delegate.recordSeveralRequests(grant);
	}

	@Override
	public void recordRolledBack(Claim.Granted grant) {
		this.delegate.recordRolledBack(grant);
	}

}
