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

}
