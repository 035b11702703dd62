package io.github.idem.operation;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import io.github.idem.Downstream;
import io.github.idem.Duplicates;
import io.github.idem.EffectBoundary;
import io.github.idem.EffectNotAppliedException;
import io.github.idem.Operation;
import io.github.idem.Outcome;
import io.github.idem.OutcomeProbe;
import io.github.idem.identity.ArgumentSchema;
import io.github.idem.identity.CallIdentity;
import io.github.idem.operation.Ledger.Fate;
import io.github.idem.operation.Ledger.Reply;
import org.jspecify.annotations.Nullable;

/** The tools of a random walk, one per kind of downstream, all on one ledger. */
final class WalkTools implements ToolRegistry {

	private static final ArgumentSchema SCHEMA = ArgumentSchema.of(null);

	private static final Fate[] FATES = { Fate.APPLIED, Fate.APPLIED, Fate.APPLIED_AND_LOST, Fate.LATER, Fate.NEVER,
			Fate.REFUSED, Fate.REFUSED };

	final Ledger ledger = new Ledger();

	private final Random random;

	private final Map<String, ToolPolicy> policies;

	private final Map<String, String> keys = new ConcurrentHashMap<>();

	private final Map<String, IdempotentExecutor> engine = new HashMap<>();

	WalkTools(Random random) {
		this.random = random;
		this.policies = List
			.of(policy("opaque", Downstream.OPAQUE, false), policy("keyed opaque", Downstream.OPAQUE, false),
					policy("idempotent", Downstream.IDEMPOTENT, false), policy("queryable", Downstream.QUERYABLE, true),
					policy("keyed queryable", Downstream.QUERYABLE, true),
					policy("idempotent and queryable", Downstream.IDEMPOTENT, true))
			.stream()
			.collect(Collectors.toMap(ToolPolicy::tool, (policy) -> policy));
	}

	private ToolPolicy policy(String tool, Downstream downstream, boolean queryable) {
		OutcomeProbe probe = queryable ? probe(tool) : null;
		return new ToolPolicy(tool, SCHEMA, (call, json) -> this.keys.get(call.taskId()), Duplicates.COLLAPSE, Set.of(),
				new EffectPolicy(downstream, EffectBoundary.ANYWHERE, Set.of(), probe, false));
	}

	/** What the background enters tools with. */
	void reEnterThrough(IdempotentExecutor executor) {
		this.engine.put("engine", executor);
	}

	ToolPolicy policy(String tool) {
		return this.policies.get(tool);
	}

	void key(String taskId, @Nullable String businessKey) {
		if (businessKey != null) {
			this.keys.put(taskId, businessKey);
		}
	}

	CallIdentity identity(String taskId, String toolCallId, String tool, String arguments) {
		return CallIdentity.of(taskId, toolCallId, tool, SCHEMA.read(arguments, Set.of()).fingerprint());
	}

	boolean deduplicates(String tool) {
		return policy(tool).effect().downstream() == Downstream.IDEMPOTENT;
	}

	Reply send(Operation operation) {
		return send(operation.requestId(), operation.attempt(), operation.tool());
	}

	private Reply send(String requestId, int attempt, String tool) {
		return this.ledger.send(requestId, attempt, deduplicates(tool), FATES[this.random.nextInt(FATES.length)]);
	}

	static String result(String requestId) {
		return "done " + requestId;
	}

	ToolBody body(String tool) {
		return (running, arguments) -> switch (send(running.requestId(), running.attempt(), tool)) {
			case DONE -> result(running.requestId());
			case REFUSED -> throw new EffectNotAppliedException("refused");
			case NONE -> throw new IllegalStateException("no answer");
		};
	}

	/** Answers in all five ways, and conclusively only what is true. */
	private OutcomeProbe probe(String tool) {
		return new OutcomeProbe() {

			@Override
			public String tool() {
				return tool;
			}

			@Override
			public Outcome probe(Operation operation) {
				return truth(operation);
			}

		};
	}

	private Outcome truth(Operation operation) {
		return switch (this.random.nextInt(6)) {
			case 0 -> new Outcome.NotFound();
			case 1 -> new Outcome.Pending();
			case 2 -> new Outcome.Unknown("not now");
			default -> conclusive(operation).orElseGet(() -> new Outcome.Unknown("neither nor"));
		};
	}

	private Optional<Outcome> conclusive(Operation operation) {
		if (this.ledger.effects(operation.requestId()) > 0) {
			return Optional.of(new Outcome.Applied(result(operation.requestId())));
		}
		return this.ledger.cancel(operation.requestId(), operation.attempt())
				? Optional.of(new Outcome.NotApplied("cancelled")) : Optional.empty();
	}

	@Override
	public KnownEffect find(String tool) {
		IdempotentExecutor executor = this.engine.get("engine");
		ReEntry reEntry = (executor != null)
				? (inDoubt, reason) -> executor.sendAgain(inDoubt, policy(tool), Map.of(), body(tool), reason) : null;
		return new KnownEffect(policy(tool).effect().probe(), policy(tool).effect().downstream(), false, reEntry);
	}

	static EngineSettings settings(Duration lease, Duration patience) {
		Pauses none = () -> () -> Duration.ZERO;
		return new EngineSettings(new IdempotentExecutor.Timing(lease, Duration.ofHours(10), patience),
				new EngineSettings.Tries(3, none), new EngineSettings.Tries(3, none), Duration.ofMinutes(1),
				Duration.ofHours(12), Duration.ofSeconds(30));
	}

}
