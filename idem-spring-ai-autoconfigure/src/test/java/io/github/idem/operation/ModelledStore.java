package io.github.idem.operation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import io.github.idem.Downstream;
import io.github.idem.IdempotencyStoreException;
import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import io.github.idem.identity.CallIdentity;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Asks a real store, and a model of the rules what it has to answer. Now and then it
 * loses the acknowledgement of a change that was made.
 */
final class ModelledStore implements OperationStore {

	final Map<String, ModelOperation> operations = new LinkedHashMap<>();

	int lostAcknowledgements;

	private final OperationStore real;

	private final Random random;

	private final int oneLostIn;

	ModelledStore(OperationStore real, Random random, int oneLostIn) {
		this.real = real;
		this.random = random;
		this.oneLostIn = oneLostIn;
	}

	private <T> T acknowledge(T answer) {
		if (this.random.nextInt(this.oneLostIn) == 0) {
			this.lostAcknowledgements++;
			throw new IdempotencyStoreException("the acknowledgement was lost");
		}
		return answer;
	}

	Optional<ModelOperation> find(CallIdentity call) {
		return this.operations.values()
			.stream()
			.filter((operation) -> operation.call.taskId().equals(call.taskId())
					&& operation.call.tool().equals(call.tool()) && operation.call.dedupKey().equals(call.dedupKey()))
			.findFirst();
	}

	private Optional<ModelOperation> holder(String tool, @Nullable String businessKey) {
		return this.operations.values()
			.stream()
			.filter((operation) -> operation.holdsKey && operation.call.tool().equals(tool)
					&& operation.businessKey != null && operation.businessKey.equals(businessKey))
			.findFirst();
	}

	private boolean keyIsFree(ModelOperation operation) {
		return holder(operation.call.tool(), operation.businessKey).isEmpty();
	}

	@Override
	public Claim claim(ClaimRequest request) {
		Claim claim = this.real.claim(request);
		Optional<ModelOperation> own = find(request.call());
		Optional<ModelOperation> holder = holder(request.call().tool(), request.businessKey());
		if (own.isPresent() && own.get().isUndisputedFailure() && holder.isEmpty()) {
			own.get().claimAgain(request.owner());
			granted(own.get(), claim, request.owner());
		}
		else if (own.isPresent() && own.get().isGrantedTo(request.owner())) {
			granted(own.get(), claim, request.owner());
		}
		else if (own.isPresent() && !own.get().isUndisputedFailure()) {
			standing(own.get(), claim);
		}
		else if (holder.isPresent()) {
			if (holder.get().call.fingerprint().equals(request.call().fingerprint())) {
				standing(holder.get(), claim);
			}
			else {
				assertThat(claim).isInstanceOf(Claim.Conflict.class);
				holder.get().assertIs(claim.operation());
			}
		}
		else {
			String requestId = claim.operation().requestId();
			assertThat(this.operations).doesNotContainKey(requestId);
			ModelOperation created = new ModelOperation(request, requestId);
			this.operations.put(requestId, created);
			granted(created, claim, request.owner());
		}
		return acknowledge(claim);
	}

	private static void granted(ModelOperation expected, Claim claim, String owner) {
		assertThat(claim).isInstanceOf(Claim.Granted.class);
		assertThat(((Claim.Granted) claim).owner()).isEqualTo(owner);
		expected.assertIs(claim.operation());
	}

	private static void standing(ModelOperation operation, Claim claim) {
		if (operation.leaseOver && operation.status == OperationStatus.IN_PROGRESS) {
			operation.expire();
		}
		assertThat(claim).isInstanceOf(switch (operation.status) {
			case SUCCEEDED, COMPENSATED -> Claim.Completed.class;
			case IN_PROGRESS, COMPENSATING -> Claim.InProgress.class;
			case IN_DOUBT, FAILED -> Claim.InDoubt.class;
		});
		operation.assertIs(claim.operation());
	}

	@Override
	public Settlement complete(Claim.Granted grant, @Nullable String result) {
		return settled(grant, OperationStatus.SUCCEEDED, result, null, this.real.complete(grant, result));
	}

	@Override
	public Settlement fail(Claim.Granted grant, String error) {
		return settled(grant, OperationStatus.FAILED, null, error, this.real.fail(grant, error));
	}

	@Override
	public Settlement doubt(Claim.Granted grant, String error) {
		return settled(grant, OperationStatus.IN_DOUBT, null, error, this.real.doubt(grant, error));
	}

	private Settlement settled(Claim.Granted grant, OperationStatus outcome, @Nullable String result,
			@Nullable String error, Settlement settlement) {
		ModelOperation operation = operation(grant.operation());
		Operation granted = grant.operation();
		boolean own = operation.owner.equals(grant.owner());
		boolean recorded = true;
		if (own && operation.status == OperationStatus.IN_PROGRESS) {
			operation.settle(outcome, operation.mayHaveApplied, result, error);
		}
		else if (own && !operation.saysAlready(outcome, result, error)
				&& operation.status == OperationStatus.IN_DOUBT) {
			// Once another attempt has had a say, it is no longer this one's doubt alone.
			boolean earlier = granted.mayHaveApplied() || operation.disputedAt > granted.version();
			operation.settle(outcome, earlier, result, error);
		}
		else if (!own || !operation.saysAlready(outcome, result, error)) {
			recorded = false;
			boolean later = operation.attempt > granted.attempt();
			boolean sure = !operation.mayHaveApplied && (operation.status == OperationStatus.FAILED
					|| (operation.status == OperationStatus.IN_PROGRESS && later));
			boolean doubt = operation.status == OperationStatus.IN_DOUBT && later
					&& !operation.disputedBy.contains(grant.owner());
			if (outcome == OperationStatus.SUCCEEDED && (sure || doubt)) {
				operation.dispute(grant.owner(), keyIsFree(operation));
			}
		}
		if (recorded) {
			assertThat(settlement).isInstanceOfSatisfying(Settlement.Recorded.class,
					(actual) -> operation.assertIs(actual.operation()));
		}
		else {
			assertThat(settlement).isInstanceOfSatisfying(Settlement.Superseded.class,
					(actual) -> operation.assertIs(actual.current()));
		}
		return acknowledge(settlement);
	}

	@Override
	public boolean renew(Claim.Granted grant, Duration lease) {
		boolean renewed = this.real.renew(grant, lease);
		assertThat(renewed).isEqualTo(operation(grant.operation()).isGrantedTo(grant.owner()));
		return renewed;
	}

	@Override
	public Optional<Operation> resolve(Operation read, Resolution resolution) {
		Optional<Operation> resolved = this.real.resolve(read, resolution);
		ModelOperation operation = operation(read);
		boolean expected = operation.version == read.version() && operation.isOpen();
		assertThat(resolved.isPresent()).as("resolved %s", read.requestId()).isEqualTo(expected);
		if (expected) {
			operation.resolve(resolution, keyIsFree(operation));
			operation.assertIs(resolved.orElseThrow());
		}
		return acknowledge(resolved);
	}

	@Override
	public Optional<Claim.Granted> sendAgain(Operation inDoubt, String owner, Duration lease, String evidence) {
		Optional<Claim.Granted> grant = this.real.sendAgain(inDoubt, owner, lease, evidence);
		ModelOperation operation = operation(inDoubt);
		boolean expected = operation.version == inDoubt.version() && operation.status == OperationStatus.IN_DOUBT;
		assertThat(grant.isPresent()).isEqualTo(expected || operation.isGrantedTo(owner));
		if (expected) {
			assertThat(operation.sendAgainOnce || (operation.downstream == Downstream.IDEMPOTENT && !operation.longAgo))
				.as("%s may be sent again", operation.requestId)
				.isTrue();
			operation.claimAgain(owner);
		}
		grant.ifPresent((granted) -> granted(operation, granted, owner));
		return acknowledge(grant);
	}

	@Override
	public Optional<Operation> releaseKey(Operation read, String actor, @Nullable String evidence) {
		Optional<Operation> released = this.real.releaseKey(read, actor, evidence);
		ModelOperation operation = operation(read);
		boolean expected = operation.version == read.version() && operation.status == OperationStatus.SUCCEEDED;
		assertThat(released.isPresent()).isEqualTo(expected);
		if (expected) {
			operation.releaseKey();
			operation.assertIs(released.orElseThrow());
		}
		return acknowledge(released);
	}

	@Override
	public List<Operation> expireLeases(int limit) {
		List<ModelOperation> over = new ArrayList<>(this.operations.values());
		over.removeIf((operation) -> operation.status != OperationStatus.IN_PROGRESS || !operation.leaseOver);
		List<Operation> expired = this.real.expireLeases(limit);
		assertThat(expired).hasSize(Math.min(limit, over.size()));
		for (Operation actual : expired) {
			ModelOperation operation = operation(actual);
			assertThat(over.remove(operation)).as("%s has run out", actual.requestId()).isTrue();
			operation.expire();
			operation.assertIs(actual);
		}
		return expired;
	}

	@Override
	public List<OpenDoubt> takeDue(int perTool, Duration putOff) {
		List<OpenDoubt> due = this.real.takeDue(perTool, putOff);
		due.forEach(this::check);
		return due;
	}

	@Override
	public Optional<OpenDoubt> findDoubt(String requestId) {
		Optional<OpenDoubt> doubt = this.real.findDoubt(requestId);
		assertThat(doubt.isPresent()).isEqualTo(operation(requestId).isOpen());
		doubt.ifPresent(this::check);
		return doubt;
	}

	private void check(OpenDoubt doubt) {
		ModelOperation operation = operation(doubt.operation());
		operation.assertIs(doubt.operation());
		assertThat(operation.isOpen()).isTrue();
		assertThat(doubt.sendAgainOnce()).isEqualTo(operation.sendAgainOnce);
		assertThat(doubt.downstream()).isEqualTo(operation.downstream);
	}

	private ModelOperation operation(Operation read) {
		return operation(read.requestId());
	}

	private ModelOperation operation(String requestId) {
		ModelOperation operation = this.operations.get(requestId);
		assertThat(operation).as("%s", requestId).isNotNull();
		return operation;
	}

	@Override
	public Optional<Operation> find(String requestId) {
		return this.real.find(requestId);
	}

	@Override
	public Optional<Operation> find(String taskId, String tool, String dedupKey) {
		return this.real.find(taskId, tool, dedupKey);
	}

	@Override
	public List<Operation> findByToolCall(String taskId, String toolCallId) {
		return this.real.findByToolCall(taskId, toolCallId);
	}

	@Override
	public List<Transition> history(String requestId) {
		return this.real.history(requestId);
	}

	@Override
	public void keep(Operation operation, Check check, @Nullable Duration nextLook, boolean needsPerson) {
		this.real.keep(operation, check, nextLook, needsPerson);
	}

	@Override
	public void keep(Operation operation, Check check) {
		this.real.keep(operation, check);
	}

	@Override
	public List<Check> checks(String requestId) {
		return this.real.checks(requestId);
	}

	@Override
	public List<Operation> waitingForPerson(int limit) {
		List<Operation> waiting = this.real.waitingForPerson(limit);
		waiting.forEach((actual) -> {
			operation(actual).assertIs(actual);
			assertThat(operation(actual).isOpen()).isTrue();
		});
		return waiting;
	}

	@Override
	public boolean recordSeveralRequests(Claim.Granted grant) {
		return this.real.recordSeveralRequests(grant);
	}

	@Override
	public void recordRolledBack(Claim.Granted grant) {
		this.real.recordRolledBack(grant);
	}

}
