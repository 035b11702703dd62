package io.github.idem.recovery;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.idem.Decision;
import io.github.idem.Operation;
import io.github.idem.OperationResolver;
import io.github.idem.OperationStatus;
import io.github.idem.ResolutionRefusedException;
import io.github.idem.operation.OperationStore;
import io.github.idem.operation.Resolution;
import io.github.idem.operation.Transition;
import io.github.idem.operation.Transition.Trigger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Takes a person's decisions to the record. */
public final class StoreOperationResolver implements OperationResolver {

	private static final Logger logger = LoggerFactory.getLogger(StoreOperationResolver.class);

	private static final JsonMapper mapper = JsonMapper.shared();

	private final OperationStore store;

	/**
	 * Create a resolver.
	 * @param store the record
	 */
	public StoreOperationResolver(OperationStore store) {
		this.store = store;
	}

	@Override
	public List<Operation> waiting(int limit) {
		return this.store.waitingForPerson(limit);
	}

	@Override
	public Operation resolve(String requestId, long expectedVersion, Decision decision, String actor,
			@Nullable String note) {
		if (actor.isBlank()) {
			throw new ResolutionRefusedException("Say who decides: the actor is blank.");
		}
		Operation operation = this.store.find(requestId)
			.orElseThrow(() -> new ResolutionRefusedException("There is no operation '%s'.".formatted(requestId)));
		if (operation.version() == expectedVersion) {
			requireSense(operation, decision);
			Optional<Operation> resolved = apply(operation, decision, actor, evidence(decision, note));
			if (resolved.isPresent()) {
				logger.info("{}: {} decided {}, it is {}", requestId, actor, name(decision), resolved.get().status());
				return resolved.get();
			}
		}
		return decidedBefore(requestId, expectedVersion, decision);
	}

	private static void requireSense(Operation operation, Decision decision) {
		OperationStatus status = operation.status();
		boolean isFinal = status == OperationStatus.SUCCEEDED || status == OperationStatus.COMPENSATED;
		boolean open = status == OperationStatus.IN_DOUBT
				|| (status == OperationStatus.FAILED && operation.mayHaveApplied());
		if ((decision instanceof Decision.ReleaseKey) ? !isFinal : !open) {
			throw new ResolutionRefusedException("Operation '%s' is %s%s, so '%s' makes no sense for it."
				.formatted(operation.requestId(), status, open ? " and in doubt" : "", name(decision)));
		}
	}

	private Optional<Operation> apply(Operation operation, Decision decision, String actor, String evidence) {
		if (decision instanceof Decision.ReleaseKey) {
			return this.store.releaseKey(operation, actor, evidence);
		}
		if (decision instanceof Decision.Applied applied) {
			return this.store.resolve(operation, new Resolution(OperationStatus.SUCCEEDED, applied.result(), null,
					Trigger.RESOLVED, actor, evidence));
		}
		boolean sendAgain = decision instanceof Decision.SendAgainOnce;
		return this.store.resolve(operation,
				new Resolution(sendAgain ? OperationStatus.IN_DOUBT : OperationStatus.FAILED, null,
						sendAgain ? operation.error() : "A person found that it was not applied.", Trigger.RESOLVED,
						actor, evidence));
	}

	/**
	 * A decision that was sent twice is one: the change that followed the expected
	 * version was this decision.
	 */
	private Operation decidedBefore(String requestId, long expectedVersion, Decision decision) {
		boolean same = this.store.history(requestId)
			.stream()
			.filter((change) -> change.version() == expectedVersion + 1)
			.anyMatch((change) -> isSame(change, decision));
		Operation now = this.store.find(requestId).orElseThrow();
		if (!same) {
			throw new ResolutionRefusedException(whyRefused(now, expectedVersion, decision));
		}
		return now;
	}

	private static String whyRefused(Operation now, long expectedVersion, Decision decision) {
		if (decision instanceof Decision.SendAgainOnce && now.version() == expectedVersion) {
			return "Operation '%s' can not be sent again: its key '%s' is held by another operation. Say of this one whether it was applied."
				.formatted(now.requestId(), now.businessRef());
		}
		return "Operation '%s' has moved on: it is %s at version %d, and the decision was about version %d. Look again."
			.formatted(now.requestId(), now.status(), now.version(), expectedVersion);
	}

	private static boolean isSame(Transition change, Decision decision) {
		String evidence = change.evidence();
		if (change.trigger() != Trigger.RESOLVED || evidence == null) {
			return false;
		}
		JsonNode made = mapper.readTree(evidence);
		JsonNode now = mapper.readTree(evidence(decision, null));
		return made.path("decision").equals(now.path("decision")) && made.path("result").equals(now.path("result"));
	}

	private static String evidence(Decision decision, @Nullable String note) {
		Map<String, @Nullable Object> evidence = new LinkedHashMap<>();
		evidence.put("decision", name(decision));
		evidence.put("result", (decision instanceof Decision.Applied applied) ? applied.result() : null);
		evidence.put("note", note);
		return mapper.writeValueAsString(evidence);
	}

	private static String name(Decision decision) {
		return decision.getClass().getSimpleName();
	}

}
