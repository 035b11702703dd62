package io.github.idem.operation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.github.idem.Decision;
import io.github.idem.Downstream;
import io.github.idem.IdempotencyStoreException;
import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import io.github.idem.OutcomeProbe;
import io.github.idem.ResolutionRefusedException;
import io.github.idem.identity.CallIdentity;
import io.github.idem.operation.Ledger.Reply;
import io.github.idem.recovery.DoubtRecovery;
import io.github.idem.recovery.LeaseExpiry;
import io.github.idem.recovery.StoreOperationResolver;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The steps of a random walk: what workers, people, probes and background jobs do. */
final class RandomSteps {

	private static final Duration LEASE = Duration.ofHours(1);

	private static final String LONG_AGO = "TIMESTAMP WITH TIME ZONE '2020-01-01 00:00:00+00'";

	private final ModelledStore store;

	private final WalkTools tools;

	private final IdempotentExecutor executor;

	private final StoreOperationResolver resolver;

	private final JdbcClient jdbc;

	private final Random random;

	private final Map<String, BooleanSupplier> steps = new LinkedHashMap<>();

	private final List<String> wheel = new ArrayList<>();

	private final List<Call> calls = new ArrayList<>();

	private final List<Attempt> workers = new ArrayList<>();

	private final List<Attempt> done = new ArrayList<>();

	private final List<Operation> readBefore = new ArrayList<>();

	private final Map<String, Map<Long, Decision>> decisions = new HashMap<>();

	private final Map<String, Integer> releases = new HashMap<>();

	private int tokens;

	private int key;

	RandomSteps(ModelledStore store, WalkTools tools, IdempotentExecutor executor, JdbcClient jdbc, Random random) {
		this.store = store;
		this.tools = tools;
		this.executor = executor;
		this.resolver = new StoreOperationResolver(store);
		this.jdbc = jdbc;
		this.random = random;
		for (int slot = 0; slot < 10; slot++) {
			this.calls.add(newCall(slot));
		}
		step("a worker claims", 16, this::claim);
		step("a worker enters its tool", 24, this::enter);
		step("a worker reports", 12, this::report);
		step("a worker reports once more", 3, this::reportAgain);
		step("a worker dies", 3, this::die);
		step("a worker renews its lease", 2, this::renew);
		step("a worker is wrong about its success", 3, this::wronglySucceed);
		step("a lease runs out", 12, this::leaseRunsOut);
		step("leases are looked through", 5, this::expireLeases);
		step("a request arrives late", 4, () -> this.tools.ledger.deliver(this.random.nextInt(1_000)));
		step("downstream is asked", 10, this::probe);
		step("it is sent again", 6, this::sendAgain);
		step("a person decides", 6, this::decide);
		step("a person decides without sense", 2, this::decideWithoutSense);
		step("a person decides the same twice", 2, this::decideTwice);
		step("a person decides about what has moved on", 3, this::decideTooLate);
		step("a person lists what waits", 1, () -> this.store.waitingForPerson(5).size() < 6);
		step("time goes by", 5, this::timeGoesBy);
		step("half a day goes by", 1, this::halfADayGoesBy);
		step("the background looks", 3, this::recover);
		step("a caller comes", 4, this::call);
		step("another call is made", 14, this::replaceCall);
	}

	private void step(String name, int weight, BooleanSupplier action) {
		this.steps.put(name, action);
		for (int i = 0; i < weight; i++) {
			this.wheel.add(name);
		}
	}

	/**
	 * Take one that is possible.
	 * @return its name
	 */
	String take() {
		while (true) {
			String name = this.wheel.get(this.random.nextInt(this.wheel.size()));
			if (this.steps.get(name).getAsBoolean()) {
				return name;
			}
		}
	}

	/** Whether a worker that is not refused has yet to send its request. */
	boolean mayStillSend(ModelOperation operation) {
		return this.workers.stream()
			.anyMatch((worker) -> worker.mayStillSend() && worker.requestId().equals(operation.requestId)
					&& !this.tools.ledger.isRefused(worker.requestId(), worker.grant.operation().attempt()));
	}

	int releases(String businessKey) {
		return this.releases.getOrDefault(businessKey, 0);
	}

	/**
	 * Two share a tool call id, some share a business key, with the same arguments or
	 * with others.
	 */
	private Call newCall(int slot) {
		int number = ++this.tokens;
		return switch (slot) {
			case 0, 1 -> new Call("opaque", "task " + (number / 6), "c1", "{\"n\":%d}".formatted(number), null);
			case 2 -> new Call("idempotent", "task i" + number, "c2", "{}", null);
			case 3 -> new Call("idempotent and queryable", "task b" + number, "c3", "{}", null);
			case 4, 5 -> new Call("queryable", "task q" + number, "", "{}", null);
			case 6, 7 -> new Call("keyed queryable", "task k" + number, "c4", "{\"order\":%d}".formatted(this.key),
					"order " + this.key);
			case 8 -> new Call("keyed opaque", "task o" + number, "c5", "{}", "bill " + this.key);
			default -> new Call("keyed queryable", "task k" + number, "c6",
					"{\"order\":%d,\"other\":%d}".formatted(this.key, number), "order " + this.key);
		};
	}

	private boolean replaceCall() {
		int slot = this.random.nextInt(this.calls.size());
		boolean over = this.store.find(identity(this.calls.get(slot)))
			.map((operation) -> operation.status == OperationStatus.SUCCEEDED)
			.orElse(false);
		if (!over && this.random.nextInt(4) > 0) {
			return false;
		}
		if (slot > 5 && this.random.nextInt(3) == 0) {
			this.key++;
		}
		this.calls.set(slot, newCall(slot));
		return true;
	}

	private CallIdentity identity(Call call) {
		return this.tools.identity(call.taskId, call.toolCallId, call.tool, call.arguments);
	}

	private String token() {
		return "owner " + ++this.tokens;
	}

	private boolean claim() {
		Call call = pick(this.calls).orElseThrow();
		ClaimRequest request = new ClaimRequest(identity(call), call.businessKey, null,
				this.tools.policy(call.tool).effect().downstream(), call.arguments, token(), LEASE);
		Claim claim = asked(() -> this.store.claim(request));
		if (claim instanceof Claim.Granted grant) {
			this.workers.add(new Attempt(grant));
		}
		return true;
	}

	/** Without an acknowledgement, the same is asked again. */
	private <T> T asked(Supplier<T> ask) {
		while (true) {
			try {
				return ask.get();
			}
			catch (IdempotencyStoreException ex) {
				if (!"the acknowledgement was lost".equals(ex.getMessage())) {
					throw ex;
				}
			}
		}
	}

	private boolean enter() {
		return pick(this.workers, Attempt::mayStillSend).map((worker) -> {
			worker.reply = this.tools.send(worker.grant.operation());
			return true;
		}).orElse(false);
	}

	private boolean report() {
		return pick(this.workers).map((worker) -> {
			worker.toldDone = worker.reply == Reply.DONE && this.random.nextInt(6) > 0;
			worker.over = true;
			tell(worker);
			this.workers.remove(worker);
			this.done.add(worker);
			if (this.done.size() > 12) {
				this.done.remove(0);
			}
			return true;
		}).orElse(false);
	}

	private Settlement tell(Attempt worker) {
		return asked(() -> {
			if (worker.toldDone) {
				return this.store.complete(worker.grant, WalkTools.result(worker.requestId()));
			}
			boolean nothing = worker.reply == null || worker.reply == Reply.REFUSED;
			return nothing ? this.store.fail(worker.grant, "refused") : this.store.doubt(worker.grant, "no answer");
		});
	}

	private boolean reportAgain() {
		return pick(this.done).map((worker) -> {
			tell(worker);
			return true;
		}).orElse(false);
	}

	private boolean die() {
		return pick(this.workers).map(this.workers::remove).orElse(false);
	}

	private boolean renew() {
		return pick(this.workers).map((worker) -> {
			this.store.renew(worker.grant, LEASE);
			return true;
		}).orElse(false);
	}

	/**
	 * A tool takes something else for its success, where that can no longer be believed:
	 * the attempt is over.
	 */
	private boolean wronglySucceed() {
		return pick(this.done, (worker) -> {
			ModelOperation operation = model(worker);
			return !operation.owner.equals(worker.grant.owner()) || operation.status == OperationStatus.FAILED;
		}).map((worker) -> {
			asked(() -> this.store.complete(worker.grant, "a mistake"));
			return true;
		}).orElse(false);
	}

	private ModelOperation model(Attempt worker) {
		return this.store.operations.get(worker.requestId());
	}

	private boolean leaseRunsOut() {
		Predicate<ModelOperation> running = (operation) -> operation.status == OperationStatus.IN_PROGRESS
				&& !operation.leaseOver;
		// Mostly of one who has something to say yet.
		Optional<ModelOperation> held = pick(this.workers, (worker) -> worker.reply != null).map(this::model);
		return held.filter(running).or(() -> operation(running)).map((operation) -> {
			operation.leaseOver = true;
			return update("lease_until = " + LONG_AGO, operation);
		}).orElse(false);
	}

	private boolean update(String change, ModelOperation operation) {
		return this.jdbc.sql("UPDATE idem_operation SET " + change + " WHERE request_id = ?")
			.param(operation.requestId)
			.update() == 1;
	}

	private boolean expireLeases() {
		if (this.random.nextBoolean()) {
			new LeaseExpiry(this.store).run();
		}
		else {
			this.store.expireLeases(1 + this.random.nextInt(2));
		}
		return true;
	}

	private boolean timeGoesBy() {
		return operation((operation) -> operation.status == OperationStatus.IN_DOUBT)
			.map((operation) -> update("doubt_since = " + LONG_AGO
					+ ", next_check_at = CASE WHEN next_check_at IS NULL THEN NULL ELSE " + LONG_AGO + " END",
					operation))
			.orElse(false);
	}

	private boolean halfADayGoesBy() {
		return operation((operation) -> !operation.longAgo).map((operation) -> {
			operation.longAgo = true;
			return update("created_at = " + LONG_AGO, operation);
		}).orElse(false);
	}

	private boolean recover() {
		this.jdbc.sql("UPDATE idem_operation SET next_check_at = " + LONG_AGO + " WHERE next_check_at IS NOT NULL")
			.update();
		Duration settle = this.random.nextBoolean() ? Duration.ofSeconds(30) : Duration.ZERO;
		DoubtRecovery recovery = new DoubtRecovery(this.store, this.tools, this.executor.prober(),
				new DoubtRecovery.Limits(Duration.ofSeconds(1), settle, Duration.ofHours(12),
						1 + this.random.nextInt(4), Duration.ofMinutes(5)));
		recovery.run(Runnable::run).join();
		return true;
	}

	private boolean call() {
		Call call = pick(this.calls).orElseThrow();
		this.tools.key(call.taskId, call.businessKey);
		try {
			Answer answer = this.executor.execute(this.tools.policy(call.tool),
					new IncomingCall(call.taskId, call.toolCallId, null, call.arguments, Map.of(), LoopPosition.FIRST),
					this.tools.body(call.tool));
			if (answer instanceof Answer.Result result) {
				assertThat(this.tools.ledger.effects(result.requestId())).isEqualTo(1);
			}
		}
		catch (IdempotencyStoreException ex) {
			assertThat(ex).hasMessage("the acknowledgement was lost");
		}
		return true;
	}

	private boolean probe() {
		return read().map((operation) -> {
			OutcomeProbe probe = this.tools.policy(operation.tool()).effect().probe();
			if (probe == null || operation.status() == OperationStatus.IN_PROGRESS) {
				return false;
			}
			Resolution.of(this.executor.prober().ask(probe, operation), operation.tool())
				.ifPresent((resolution) -> asked(() -> this.store.resolve(operation, resolution)));
			return true;
		}).orElse(false);
	}

	private boolean sendAgain() {
		return read().map((operation) -> {
			ModelOperation model = this.store.operations.get(operation.requestId());
			boolean harmless = model.sendAgainOnce || (model.downstream == Downstream.IDEMPOTENT && !model.longAgo);
			if (!harmless || operation.status() != OperationStatus.IN_DOUBT) {
				return false;
			}
			String owner = token();
			asked(() -> this.store.sendAgain(operation, owner, LEASE, "again"))
				.ifPresent((grant) -> this.workers.add(new Attempt(grant)));
			return true;
		}).orElse(false);
	}

	/** An operation as it is, or as it was when somebody looked before. */
	private Optional<Operation> read() {
		if (this.random.nextInt(4) == 0) {
			return pick(this.readBefore);
		}
		Optional<Operation> read = operation((operation) -> operation.isOpen())
			.flatMap((operation) -> this.store.find(operation.requestId));
		read.ifPresent(this.readBefore::add);
		if (this.readBefore.size() > 12) {
			this.readBefore.remove(0);
		}
		return read;
	}

	/** People say what is true. */
	private @Nullable Decision truth(ModelOperation operation) {
		if (operation.status == OperationStatus.SUCCEEDED) {
			return new Decision.ReleaseKey();
		}
		if (!operation.isOpen()) {
			return null;
		}
		if (this.tools.ledger.effects(operation.requestId) > 0) {
			return new Decision.Applied(WalkTools.result(operation.requestId));
		}
		boolean holdsWhatItNeeds = operation.businessKey == null || operation.holdsKey;
		if (holdsWhatItNeeds && operation.downstream == Downstream.IDEMPOTENT && this.random.nextBoolean()) {
			return new Decision.SendAgainOnce();
		}
		this.tools.ledger.cancel(operation.requestId, operation.attempt);
		return (holdsWhatItNeeds && this.random.nextBoolean()) ? new Decision.SendAgainOnce()
				: new Decision.NotApplied();
	}

	private boolean decide() {
		Optional<ModelOperation> about = operation((operation) -> operation.isOpen()
				|| (operation.status == OperationStatus.SUCCEEDED && this.random.nextInt(100) == 0));
		Decision decision = about.map(this::truth).orElse(null);
		if (decision == null) {
			return false;
		}
		ModelOperation operation = about.orElseThrow();
		long version = operation.version;
		if (decision instanceof Decision.ReleaseKey && operation.holdsKey) {
			this.releases.merge(operation.businessKey, 1, Integer::sum);
		}
		this.decisions.computeIfAbsent(operation.requestId, (id) -> new HashMap<>()).put(version, decision);
		resolve(operation, version, decision);
		assertThat(operation.version).isEqualTo(version + 1);
		return true;
	}

	private Operation resolve(ModelOperation operation, long version, Decision decision) {
		return asked(() -> this.resolver.resolve(operation.requestId, version, decision, "Ada", "looked it up"));
	}

	private boolean decideTwice() {
		return operation((operation) -> this.decisions.containsKey(operation.requestId)).map((operation) -> {
			Map<Long, Decision> made = this.decisions.get(operation.requestId);
			long version = pick(new ArrayList<>(made.keySet())).orElseThrow();
			long before = operation.version;
			operation.assertIs(resolve(operation, version, made.get(version)));
			assertThat(operation.version).isEqualTo(before);
			return true;
		}).orElse(false);
	}

	private boolean decideTooLate() {
		return operation((operation) -> operation.version > 1).map((operation) -> {
			long version = this.random.nextLong(operation.version + 2);
			if (version == operation.version) {
				return false;
			}
			refused(operation, version, new Decision.Applied("never said"));
			return true;
		}).orElse(false);
	}

	private boolean decideWithoutSense() {
		return operation((operation) -> !operation.isOpen()).map((operation) -> {
			refused(operation, operation.version, (operation.status == OperationStatus.SUCCEEDED)
					? new Decision.NotApplied() : new Decision.ReleaseKey());
			return true;
		}).orElse(false);
	}

	private void refused(ModelOperation operation, long version, Decision decision) {
		long before = operation.version;
		assertThatExceptionOfType(ResolutionRefusedException.class)
			.isThrownBy(() -> resolve(operation, version, decision));
		assertThat(operation.version).isEqualTo(before);
	}

	/** One of those that were made last. */
	private Optional<ModelOperation> operation(Predicate<ModelOperation> which) {
		List<ModelOperation> all = new ArrayList<>(this.store.operations.values());
		return pick(all.subList(Math.max(0, all.size() - 20), all.size()), which);
	}

	private <T> Optional<T> pick(List<T> from, Predicate<T> which) {
		return pick(from.stream().filter(which).toList());
	}

	private <T> Optional<T> pick(List<T> from) {
		return from.isEmpty() ? Optional.empty() : Optional.of(from.get(this.random.nextInt(from.size())));
	}

	private record Call(String tool, String taskId, String toolCallId, String arguments, @Nullable String businessKey) {
	}

	/** What a worker knows. */
	private static final class Attempt {

		private final Claim.Granted grant;

		private @Nullable Reply reply;

		private boolean over;

		private boolean toldDone;

		private Attempt(Claim.Granted grant) {
			this.grant = grant;
		}

		private boolean mayStillSend() {
			return this.reply == null && !this.over;
		}

		private String requestId() {
			return this.grant.operation().requestId();
		}

	}

}
