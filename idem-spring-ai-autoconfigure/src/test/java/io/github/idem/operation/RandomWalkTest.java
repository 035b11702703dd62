package io.github.idem.operation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.idem.Decision;
import io.github.idem.Downstream;
import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import io.github.idem.Outcome;
import io.github.idem.ResolutionRefusedException;
import io.github.idem.identity.CallIdentity;
import io.github.idem.jdbc.JdbcOperationStore;
import io.github.idem.jdbc.SchemaMigration;
import io.github.idem.jdbc.SchemaMode;
import io.github.idem.recovery.StoreOperationResolver;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Thousands of random steps of workers that crash, come late or lose acknowledgements, of
 * probes and of people, each compared with a small model of its own. Those who look at
 * the ledger tell the truth, but for the operations that are lied about: there it is
 * shown that a lie is found out, not that it does no harm.
 */
abstract class RandomWalkTest {

	private static final Duration LEASE = Duration.ofHours(1);

	private static final List<String> PATHS = List.of("null IN_PROGRESS CLAIMED", "FAILED IN_PROGRESS CLAIMED",
			"IN_PROGRESS SUCCEEDED RETURNED", "IN_DOUBT SUCCEEDED RETURNED", "IN_PROGRESS FAILED THREW",
			"IN_DOUBT FAILED THREW", "IN_PROGRESS IN_DOUBT THREW", "IN_DOUBT IN_DOUBT THREW",
			"IN_PROGRESS IN_DOUBT LEASE_EXPIRED", "IN_DOUBT SUCCEEDED PROBED", "IN_DOUBT FAILED PROBED",
			"IN_DOUBT SUCCEEDED RESOLVED", "IN_DOUBT FAILED RESOLVED", "IN_DOUBT IN_DOUBT RESOLVED",
			"IN_DOUBT IN_PROGRESS SENT_AGAIN", "SUCCEEDED SUCCEEDED RESOLVED", "FAILED FAILED DISPUTED",
			"IN_PROGRESS IN_PROGRESS DISPUTED", "IN_DOUBT IN_DOUBT DISPUTED", "FAILED SUCCEEDED RESOLVED",
			"FAILED FAILED RESOLVED", "FAILED IN_DOUBT RESOLVED", "FAILED SUCCEEDED PROBED", "FAILED FAILED PROBED");

	/**
	 * What needs a lie and an owner who comes late; each is in a test of the store, too.
	 */
	private static final List<String> RARE = List.of("FAILED FAILED DISPUTED", "IN_PROGRESS IN_PROGRESS DISPUTED",
			"IN_DOUBT IN_DOUBT DISPUTED", "FAILED SUCCEEDED RESOLVED", "FAILED FAILED RESOLVED",
			"FAILED IN_DOUBT RESOLVED", "FAILED SUCCEEDED PROBED", "FAILED FAILED PROBED");

	/** What drives things on is taken more often than what ends them. */
	private static final List<Step> WEIGHTED = Stream
		.concat(Stream.of(Step.values()), Stream.of(Step.SEND, Step.SEND, Step.SEND, Step.SEND, Step.COMPLETE,
				Step.COMPLETE, Step.RUN_OUT, Step.EXPIRE, Step.PERSON, Step.PROBE))
		.toList();

	private final long seed = Long.getLong("idem.walk.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	private final List<Modelled> operations = new ArrayList<>();

	private final List<Worker> workers = new ArrayList<>();

	private final Map<Step, Integer> steps = new EnumMap<>(Step.class);

	private final Map<String, Integer> taken = new TreeMap<>();

	private OperationStore store;

	private StoreOperationResolver people;

	private JdbcClient jdbc;

	private int tasks;

	private int finished;

	abstract String newDatabase();

	abstract int length();

	@Test
	void theRecordIsWhatTheModelSaysAfterEveryStep() {
		SingleConnectionDataSource dataSource = new SingleConnectionDataSource(newDatabase(), true);
		try {
			SchemaMigration.run(dataSource, null, SchemaMode.MIGRATE);
			this.store = JdbcOperationStore.create(dataSource, "walk", null);
			this.people = new StoreOperationResolver(this.store);
			this.jdbc = JdbcClient.create(dataSource);
			walk();
		}
		finally {
			dataSource.destroy();
		}
	}

	private void walk() {
		System.out.println(getClass().getSimpleName() + ": seed " + this.seed);
		for (int i = 0; i < 6; i++) {
			this.operations.add(newOperation());
		}
		for (int i = 0; i < length(); i++) {
			int place = this.random.nextInt(this.operations.size());
			Modelled operation = this.operations.get(place);
			Step step = WEIGHTED.get(this.random.nextInt(WEIGHTED.size()));
			if (take(step, operation)) {
				this.steps.merge(step, 1, Integer::sum);
			}
			for (Modelled any : this.operations) {
				check(any, i + " " + step);
			}
			if (operation.stepsLeft-- == 0) {
				end(operation);
				this.operations.set(place, newOperation());
			}
		}
		this.operations.forEach(this::end);
		System.out.println("operations " + this.finished + ", steps " + this.steps);
		System.out.println("changes " + this.taken);
		assertThat(PATHS).containsAll(this.taken.keySet());
		if (length() > 5000) {
			assertThat(this.taken.keySet()).as("every change of state but the rarest was taken")
				.containsAll(PATHS.stream().filter((path) -> !RARE.contains(path)).toList());
		}
	}

	private Modelled newOperation() {
		Kind kind = (this.tasks % 2 == 0) ? Kind.LIED_ABOUT : Kind.values()[this.random.nextInt(3)];
		String task = "task" + this.tasks++;
		return new Modelled(kind, CallIdentity.of(task, "call", kind.name(), "f"), 60 + this.random.nextInt(60));
	}

	private boolean take(Step step, Modelled operation) {
		return switch (step) {
			case CLAIM -> claim(operation);
			case SEND -> pick(operation).map(this::send).orElse(false);
			case DELIVER -> deliver(operation);
			case COMPLETE -> pick(operation).filter((worker) -> worker.answered).map(this::complete).orElse(false);
			case FAIL -> pick(operation).filter((worker) -> !worker.sent).map(this::fail).orElse(false);
			case DOUBT -> pick(operation).map(this::doubt).orElse(false);
			case CRASH -> pick(operation).map(this.workers::remove).orElse(false);
			case RENEW -> pick(operation).map(this::renew).orElse(false);
			case RUN_OUT -> runOut(operation);
			case EXPIRE -> expire();
			case PROBE -> probe(operation);
			case PERSON -> person(operation);
			case SEND_AGAIN -> sendAgain(operation);
			case RELEASE_KEY -> releaseKey(operation);
		};
	}

	private Optional<Worker> pick(Modelled operation) {
		List<Worker> of = this.workers.stream().filter((worker) -> worker.operation == operation).toList();
		return of.isEmpty() ? Optional.empty() : Optional.of(of.get(this.random.nextInt(of.size())));
	}

	// Workers

	private boolean claim(Modelled model) {
		ClaimRequest request = new ClaimRequest(model.call, "key of " + model.call.taskId(), null,
				model.kind.downstream, "{}", UUID.randomUUID().toString(), LEASE);
		OperationStatus before = model.status;
		boolean grant = before == null || (before == OperationStatus.FAILED && !model.may);
		Claim claim = this.store.claim(request);
		if (grant) {
			model.change(OperationStatus.IN_PROGRESS, "CLAIMED");
			model.granted(request.owner());
			assertThat(claim).isInstanceOf(Claim.Granted.class);
			if (this.random.nextInt(4) == 0) {
				assertThat(this.store.claim(request)).as("its acknowledgement was lost").isEqualTo(claim);
			}
			this.workers.add(new Worker(model, (Claim.Granted) claim, model.attempt));
		}
		else if (before == OperationStatus.IN_PROGRESS && model.leaseOver) {
			model.change(OperationStatus.IN_DOUBT, "LEASE_EXPIRED");
			model.may = true;
			assertThat(claim).isInstanceOf(Claim.InDoubt.class);
		}
		else {
			assertThat(claim).isInstanceOf((before == OperationStatus.IN_PROGRESS) ? Claim.InProgress.class
					: (before == OperationStatus.SUCCEEDED) ? Claim.Completed.class : Claim.InDoubt.class);
		}
		return true;
	}

	/** Nothing is sent for an attempt whose lease is over. */
	private boolean send(Worker worker) {
		Modelled model = worker.operation;
		if (worker.sent || !worker.holds() || model.leaseOver) {
			return false;
		}
		worker.sent = true;
		switch (this.random.nextInt(4)) {
			case 0, 1 -> {
				model.apply();
				worker.answered = this.random.nextInt(3) > 0;
			}
			case 2 -> model.onItsWay++;
			default -> {
			}
		}
		return true;
	}

	private boolean deliver(Modelled model) {
		if (model.onItsWay == 0) {
			return false;
		}
		model.onItsWay--;
		model.apply();
		return true;
	}

	private boolean complete(Worker worker) {
		Modelled model = worker.operation;
		Settlement settlement = this.store.complete(worker.grant, "paid");
		if (worker.owns()
				&& (model.status == OperationStatus.IN_PROGRESS || model.status == OperationStatus.IN_DOUBT)) {
			model.change(OperationStatus.SUCCEEDED, "RETURNED");
			model.may = false;
			assertThat(settlement).isInstanceOf(Settlement.Recorded.class);
		}
		else if (worker.owns() && model.status == OperationStatus.SUCCEEDED && model.result.equals("paid")) {
			assertThat(settlement).isInstanceOf(Settlement.Recorded.class);
		}
		else {
			assertThat(settlement).isInstanceOf(Settlement.Superseded.class);
			boolean later = worker.attempt < model.attempt;
			boolean contradicted = (model.status == OperationStatus.FAILED && !model.may)
					|| (model.status == OperationStatus.IN_PROGRESS && later && !model.may)
					|| (model.status == OperationStatus.IN_DOUBT && later
							&& !model.disputedBy.contains(worker.grant.owner()));
			if (contradicted) {
				model.change(model.status, "DISPUTED");
				model.disputedBy.add(worker.grant.owner());
				model.disputedAt = model.version;
				model.may = true;
				model.once = false;
			}
		}
		if (this.random.nextInt(4) == 0) {
			this.store.complete(worker.grant, "paid");
		}
		return this.workers.remove(worker);
	}

	private boolean fail(Worker worker) {
		Modelled model = worker.operation;
		this.store.fail(worker.grant, "declined " + this.random.nextLong());
		if (worker.owns() && model.status == OperationStatus.IN_PROGRESS) {
			model.change(model.may ? OperationStatus.IN_DOUBT : OperationStatus.FAILED, "THREW");
		}
		else if (worker.owns() && model.status == OperationStatus.IN_DOUBT) {
			boolean onlyItsOwn = !worker.grant.operation().mayHaveApplied()
					&& model.disputedAt <= worker.grant.operation().version();
			model.change(onlyItsOwn ? OperationStatus.FAILED : OperationStatus.IN_DOUBT, "THREW");
			model.may = !onlyItsOwn;
		}
		return this.workers.remove(worker);
	}

	private boolean doubt(Worker worker) {
		Modelled model = worker.operation;
		this.store.doubt(worker.grant, "lost " + this.random.nextLong());
		if (worker.owns()
				&& (model.status == OperationStatus.IN_PROGRESS || model.status == OperationStatus.IN_DOUBT)) {
			model.change(OperationStatus.IN_DOUBT, "THREW");
			model.may = true;
			model.once = false;
		}
		return this.random.nextBoolean() ? this.workers.remove(worker) : true;
	}

	private boolean renew(Worker worker) {
		assertThat(this.store.renew(worker.grant, LEASE)).isEqualTo(worker.holds() && !worker.operation.leaseOver);
		return true;
	}

	private boolean runOut(Modelled model) {
		if (model.status != OperationStatus.IN_PROGRESS) {
			return false;
		}
		model.leaseOver = true;
		return this.jdbc.sql("UPDATE idem_operation SET lease_until = created_at WHERE request_id = :id")
			.param("id", model.requestId())
			.update() == 1;
	}

	private boolean expire() {
		List<Modelled> due = this.operations.stream()
			.filter((model) -> model.status == OperationStatus.IN_PROGRESS && model.leaseOver)
			.toList();
		assertThat(this.store.expireLeases(100)).hasSize(due.size());
		due.forEach((model) -> {
			model.change(OperationStatus.IN_DOUBT, "LEASE_EXPIRED");
			model.may = true;
		});
		return !due.isEmpty();
	}

	// Evidence and people

	private boolean probe(Modelled model) {
		if (!model.open()) {
			return false;
		}
		Operation seen = this.store.find(model.requestId()).orElseThrow();
		Outcome outcome = model.truth(this.random);
		Optional<Resolution> resolution = Resolution.of(outcome, model.call.tool());
		if (resolution.isEmpty()) {
			return true;
		}
		assertThat(this.store.resolve(stale(seen), resolution.get())).as("an answer about an older version").isEmpty();
		assertThat(this.store.resolve(seen, resolution.get())).isPresent();
		model.settled(resolution.get().status(), "PROBED", "found");
		return true;
	}

	private boolean person(Modelled model) {
		if (!model.open()) {
			return false;
		}
		Decision decision = model.decide(this.random);
		long version = model.version;
		assertThatExceptionOfType(ResolutionRefusedException.class)
			.isThrownBy(() -> this.people.resolve(model.requestId(), version + 1, decision, "alice", null));
		Operation decided = this.people.resolve(model.requestId(), version, decision, "alice", null);
		model.settled(decided.status(), "RESOLVED", "found");
		model.once = decision instanceof Decision.SendAgainOnce;
		model.may = decision instanceof Decision.SendAgainOnce;
		assertThat(this.people.resolve(model.requestId(), version, decision, "alice", "again")).isEqualTo(decided);
		return true;
	}

	private boolean sendAgain(Modelled model) {
		boolean harmless = model.status == OperationStatus.IN_DOUBT && (model.kind == Kind.IDEMPOTENT || model.once);
		if (!harmless) {
			return false;
		}
		Operation seen = this.store.find(model.requestId()).orElseThrow();
		String owner = UUID.randomUUID().toString();
		assertThat(this.store.sendAgain(stale(seen), owner, LEASE, "stale")).isEmpty();
		Claim.Granted grant = this.store.sendAgain(seen, owner, LEASE, "harmless").orElseThrow();
		assertThat(this.store.sendAgain(seen, owner, LEASE, "harmless")).contains(grant);
		model.change(OperationStatus.IN_PROGRESS, "SENT_AGAIN");
		model.granted(owner);
		model.once = false;
		this.workers.add(new Worker(model, grant, model.attempt));
		return true;
	}

	private boolean releaseKey(Modelled model) {
		if (model.status != OperationStatus.SUCCEEDED || this.random.nextInt(4) > 0) {
			return false;
		}
		Operation released = this.people.resolve(model.requestId(), model.version, new Decision.ReleaseKey(), "bob",
				null);
		model.change(released.status(), "RESOLVED");
		model.keyReleased = true;
		return true;
	}

	private static Operation stale(Operation operation) {
		return new Operation(operation.namespace(), operation.requestId(), operation.taskId(), operation.toolCallId(),
				operation.tool(), operation.status(), operation.version() - 1, operation.attempt(),
				operation.mayHaveApplied(), operation.businessRef(), operation.arguments(), operation.result(),
				operation.error(), operation.createdAt(), operation.updatedAt());
	}

	// What has to be true

	private void check(Modelled model, String when) {
		Optional<Operation> found = this.store.find(model.requestId());
		assertThat(found.map(Operation::status).orElse(null)).as("%s: %s", when, model).isEqualTo(model.status);
		found.ifPresent((operation) -> {
			assertThat(operation.version()).as("%s: %s", when, model).isEqualTo(model.version);
			assertThat(operation.attempt()).as("%s: %s", when, model).isEqualTo(model.attempt);
			assertThat(operation.mayHaveApplied()).as("%s: %s", when, model).isEqualTo(model.may);
		});
		if (model.kind != Kind.LIED_ABOUT) {
			assertThat(model.effects).as("%s: %s", when, model).isLessThanOrEqualTo(1);
			if (model.status == OperationStatus.SUCCEEDED) {
				assertThat(model.effects).as("%s: %s", when, model).isOne();
			}
			if (model.status == OperationStatus.FAILED) {
				assertThat(model.effects + model.onItsWay).as("%s: %s", when, model).isZero();
			}
		}
	}

	private void end(Modelled model) {
		this.finished++;
		this.workers.removeIf((worker) -> worker.operation == model);
		List<Transition> history = this.store.history(model.requestId());
		assertThat(history).extracting(Transition::version)
			.containsExactlyElementsOf(LongStream.rangeClosed(1, model.version).boxed().toList());
		OperationStatus before = null;
		for (Transition change : history) {
			assertThat(change.from()).isEqualTo(before);
			before = change.to();
			this.taken.merge(change.from() + " " + change.to() + " " + change.trigger(), 1, Integer::sum);
		}
		assertThat(history).extracting((change) -> change.trigger().name()).containsExactlyElementsOf(model.triggers);
		if (model.status == OperationStatus.FAILED && !model.may) {
			assertThat(key(model)).isNull();
		}
		else if (model.status != null) {
			assertThat(key(model) == null).as("%s", model).isEqualTo(model.keyReleased);
		}
		this.jdbc
			.sql("UPDATE idem_operation SET lease_until = CURRENT_TIMESTAMP + INTERVAL '1' HOUR WHERE request_id = :id")
			.param("id", model.requestId())
			.update();
	}

	private String key(Modelled model) {
		return this.jdbc.sql("SELECT business_key FROM idem_operation WHERE request_id = :id")
			.param("id", model.requestId())
			.query((row, number) -> String.valueOf(row.getString(1)))
			.optional()
			.filter((key) -> !key.equals("null"))
			.orElse(null);
	}

	enum Step {

		CLAIM, SEND, DELIVER, COMPLETE, FAIL, DOUBT, CRASH, RENEW, RUN_OUT, EXPIRE, PROBE, PERSON, SEND_AGAIN,
		RELEASE_KEY

	}

	enum Kind {

		OPAQUE(Downstream.OPAQUE), IDEMPOTENT(Downstream.IDEMPOTENT), QUERYABLE(Downstream.QUERYABLE),
		LIED_ABOUT(Downstream.OPAQUE);

		private final Downstream downstream;

		Kind(Downstream downstream) {
			this.downstream = downstream;
		}

	}

	/** What one operation must look like, and what its downstream knows. */
	private static final class Modelled {

		private final Kind kind;

		private final CallIdentity call;

		private final List<String> triggers = new ArrayList<>();

		private final Set<String> disputedBy = new HashSet<>();

		private int stepsLeft;

		private OperationStatus status;

		private long version;

		private int attempt;

		private boolean may;

		private boolean once;

		private boolean leaseOver;

		private boolean keyReleased;

		private long disputedAt;

		private String owner = "";

		private String result = "";

		private int effects;

		private int onItsWay;

		Modelled(Kind kind, CallIdentity call, int stepsLeft) {
			this.kind = kind;
			this.call = call;
			this.stepsLeft = stepsLeft;
		}

		String requestId() {
			return this.call.requestId(0);
		}

		void change(OperationStatus to, String trigger) {
			if (to == OperationStatus.SUCCEEDED && trigger.equals("RETURNED")) {
				this.result = "paid";
			}
			this.status = to;
			this.version++;
			this.triggers.add(trigger);
		}

		void granted(String owner) {
			this.attempt++;
			this.owner = owner;
			this.leaseOver = false;
		}

		void settled(OperationStatus to, String trigger, String result) {
			change(to, trigger);
			this.result = result;
			this.may = false;
			this.once = false;
		}

		/** The downstream makes the effect, unless it deduplicates and has made it. */
		void apply() {
			if (this.kind != Kind.IDEMPOTENT || this.effects == 0) {
				this.effects++;
			}
		}

		boolean open() {
			return this.status == OperationStatus.IN_DOUBT || (this.status == OperationStatus.FAILED && this.may);
		}

		/** What an honest probe says: never "not applied" of what may still arrive. */
		Outcome truth(Random random) {
			return switch (random.nextInt(4)) {
				case 0 -> new Outcome.Pending();
				case 1 -> new Outcome.Unknown("no idea");
				case 2 -> (this.effects > 0) ? new Outcome.Applied("found") : new Outcome.NotFound();
				default -> (this.effects > 0) ? new Outcome.Applied("found")
						: (this.onItsWay > 0) ? new Outcome.NotFound() : new Outcome.NotApplied("cancelled");
			};
		}

		/** A person looks first, and has what is on its way cancelled. */
		Decision decide(Random random) {
			if (this.kind == Kind.LIED_ABOUT && this.effects > 0 && random.nextInt(4) > 0) {
				return new Decision.NotApplied();
			}
			if (this.kind == Kind.IDEMPOTENT && random.nextBoolean()) {
				return new Decision.SendAgainOnce();
			}
			if (this.effects > 0) {
				return (this.kind == Kind.LIED_ABOUT && random.nextInt(3) == 0) ? new Decision.SendAgainOnce()
						: new Decision.Applied("found");
			}
			this.onItsWay = 0;
			return random.nextBoolean() ? new Decision.NotApplied() : new Decision.SendAgainOnce();
		}

		@Override
		public String toString() {
			return "%s %s effects %d, on its way %d, %s".formatted(this.kind, this.status, this.effects, this.onItsWay,
					this.triggers);
		}

	}

	/** Somebody who was granted an attempt, and may have lost it since. */
	private static final class Worker {

		private final Modelled operation;

		private final Claim.Granted grant;

		private final int attempt;

		private boolean sent;

		private boolean answered;

		Worker(Modelled operation, Claim.Granted grant, int attempt) {
			this.operation = operation;
			this.grant = grant;
			this.attempt = attempt;
		}

		boolean owns() {
			return this.operation.owner.equals(this.grant.owner());
		}

		boolean holds() {
			return owns() && this.operation.status == OperationStatus.IN_PROGRESS;
		}

	}

}
