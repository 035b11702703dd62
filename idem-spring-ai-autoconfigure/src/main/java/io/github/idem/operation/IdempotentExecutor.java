package io.github.idem.operation;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

import io.github.idem.Downstream;
import io.github.idem.Duplicates;
import io.github.idem.IdempotencyException;
import io.github.idem.IdempotencyStoreException;
import io.github.idem.InvalidArgumentsException;
import io.github.idem.Operation;
import io.github.idem.identity.Arguments;
import io.github.idem.identity.CallIdentity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine: one call, one operation, one record. Reads what the call is, claims it, and
 * does what the claim allows. The only class that talks to the store on behalf of a call.
 * <p>
 * Safe for any number of threads and processes.
 */
public final class IdempotentExecutor implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(IdempotentExecutor.class);

	/** Less than the store gives a statement. */
	private static final Duration ASK_AGAIN_WITHIN = Duration.ofSeconds(4);

	private final OperationStore store;

	private final Duration lease;

	private final Occurrences occurrences;

	private final LeaseKeeper leases;

	private final Waiting waiting;

	private final CallRunner calls;

	private final TransactionalRunner transactions;

	private final Prober prober;

	private final Admission admission = new Admission();

	/**
	 * Create an engine on a store.
	 * @param store the record
	 * @param settings what bounds it
	 * @param hooks what it asks of its surroundings
	 */
	public IdempotentExecutor(OperationStore store, EngineSettings settings, EngineHooks hooks) {
		this.store = store;
		this.lease = settings.timing().lease();
		this.occurrences = new Occurrences(store);
		this.leases = new LeaseKeeper(store, settings.timing().lease(), settings.timing().maxRun());
		this.waiting = new Waiting(store, settings.timing().waitTimeout());
		this.prober = new Prober(settings.probeTimeout());
		this.calls = new CallRunner(store, new AttemptRunner(store, this.leases, settings, hooks), this.prober,
				this.waiting, settings);
		this.transactions = new TransactionalRunner(settings, hooks);
	}

	/**
	 * Carry out a call, or find out what became of it.
	 * @param tool the tool and its settings
	 * @param call the call
	 * @param body the way into the tool; entered only after each attempt was committed to
	 * the record, and again only where that can't make the effect twice
	 * @return what the caller gets; an {@link Error} of the tool is recorded and
	 * rethrown, wrapped as it came
	 * @throws InvalidArgumentsException if the arguments are not one well-formed JSON
	 * object or do not bind; nothing was recorded
	 * @throws IdempotencyStoreException if the claim could not be made; the tool was not
	 * entered
	 * @throws IdempotencyException if the application is shutting down, or the thread is
	 * interrupted and nothing is on record yet; the tool was not entered
	 */
	public Answer execute(ToolPolicy tool, IncomingCall call, ToolBody body) {
		PreparedCall prepared = prepare(tool, call, body);
		return this.admission.during(tool.tool(), () -> carryOut(prepared));
	}

	private PreparedCall prepare(ToolPolicy tool, IncomingCall call, ToolBody body) {
		Arguments arguments = read(tool, call);
		String businessKey = tool.binder().bind(call, arguments.json());
		return new PreparedCall(tool, call, identify(tool, call, arguments), businessKey, arguments.json(), body);
	}

	private Answer carryOut(PreparedCall call) {
		if (call.tool().effect().downstream() == Downstream.TRANSACTIONAL) {
			return this.transactions.run(call);
		}
		return claimAndRun(call, (inDoubt) -> settle(inDoubt, call));
	}

	private Answer claimAndRun(PreparedCall call, Function<Operation, Answer> ifInDoubt) {
		long askedAt = System.nanoTime();
		Claim claim = claim(call);
		return claim.match((granted) -> run(granted, askedAt, call),
				(completed) -> Repeats.repeated(completed.operation(), replay(completed.operation()), call),
				(running) -> Repeats.repeated(running.operation(), await(running.operation(), call), call),
				(inDoubt) -> ifInDoubt.apply(inDoubt.operation()),
				(conflict) -> Answer.Notice.conflict(conflict.operation().requestId()));
	}

	/**
	 * A call of another task under another key waits for a doubt to be found out, but
	 * what is found is not its own: it is carried out then.
	 */
	private Answer settle(Operation inDoubt, PreparedCall call) {
		Answer answer = this.calls.settle(inDoubt, call, this::claimAgain);
		boolean anothers = !inDoubt.taskId().equals(call.identity().taskId())
				&& !Objects.equals(inDoubt.businessRef(), call.businessKey());
		return (anothers && !(answer instanceof Answer.Notice))
				? claimAndRun(call, (other) -> Answer.Notice.inDoubt(other.requestId()))
				: Repeats.repeated(inDoubt, answer, call);
	}

	/**
	 * Whoever interrupted the thread does not want the call any more. It could be
	 * answered from the record, but it is not begun.
	 */
	private Answer run(Claim.Granted granted, long askedAt, PreparedCall call) {
		if (Thread.currentThread().isInterrupted()) {
			this.store.fail(granted, call.interrupted());
			throw new IdempotencyException(call.interrupted());
		}
		return this.calls.run(granted, askedAt, call, this::claimAgain);
	}

	/** Go by whatever the claim comes to; what is in doubt now was not a moment ago. */
	private Ended claimAgain(PreparedCall call, Function<Claim.Granted, Ended> ifGranted) {
		return claim(call).<Ended>match(ifGranted,
				(completed) -> new Ended.Over(
						Repeats.repeated(completed.operation(), replay(completed.operation()), call)),
				(running) -> new Ended.Over(
						Repeats.repeated(running.operation(), await(running.operation(), call), call)),
				(inDoubt) -> new Ended.Over(Answer.Notice.inDoubt(inDoubt.operation().requestId())),
				(conflict) -> new Ended.Over(Answer.Notice.conflict(conflict.operation().requestId())));
	}

	/**
	 * A claim whose commit was not acknowledged is asked for again, with the same owner
	 * token: if it was made after all, it is granted. A database that takes long to say
	 * no is not asked twice.
	 */
	private Claim claim(PreparedCall call) {
		ClaimRequest request = call.request(this.lease);
		long askedAt = System.nanoTime();
		try {
			return this.store.claim(request);
		}
		catch (IdempotencyStoreException ex) {
			if (System.nanoTime() - askedAt > ASK_AGAIN_WITHIN.toNanos()) {
				throw ex;
			}
			logger.debug("{}: the claim may or may not have been made, asking again", request.call().requestId(0), ex);
			return this.store.claim(request);
		}
	}

	/**
	 * A call of another task is not the same call, unless the business key says so: it
	 * does not get that one's result.
	 */
	private Answer await(Operation running, PreparedCall call) {
		String key = call.businessKey();
		boolean sameOperation = running.taskId().equals(call.identity().taskId())
				|| (key != null && key.equals(running.businessRef()));
		return sameOperation ? this.waiting.await(running) : Answer.Notice.inProgress(running.requestId());
	}

	/**
	 * Send an operation that is in doubt again, once, for a caller that is gone. Whether
	 * that is harmless is for the caller to know.
	 * @param inDoubt the operation as it was read
	 * @param tool the tool and its settings
	 * @param toolContext what the tool finds around it
	 * @param body the way into the tool
	 * @param reason why it may be sent again, for the record
	 * @return what came of it; empty if it has moved on, and the tool was not entered
	 * @throws InvalidArgumentsException if the tool no longer takes the recorded
	 * arguments; it was not entered
	 */
	public Optional<Answer> sendAgain(Operation inDoubt, ToolPolicy tool, Map<String, Object> toolContext,
			ToolBody body, String reason) {
		IncomingCall call = new IncomingCall(inDoubt.taskId(), inDoubt.toolCallId(), null,
				Objects.requireNonNullElse(inDoubt.arguments(), "{}"), toolContext, LoopPosition.FIRST);
		Arguments arguments = read(tool, call);
		CallIdentity identity = CallIdentity.of(call.taskId(), call.toolCallId(), tool.tool(), arguments.fingerprint());
		PreparedCall prepared = new PreparedCall(tool, call, identity, null, arguments.json(), body);
		return this.admission.during(tool.tool(), () -> this.calls.sendAgain(inDoubt, prepared, reason));
	}

	/**
	 * Asks probes the way the engine does.
	 * @return the prober
	 */
	public Prober prober() {
		return this.prober;
	}

	private static Arguments read(ToolPolicy tool, IncomingCall call) {
		Arguments arguments = tool.schema().read(call.arguments(), tool.ignoring());
		if (!arguments.missing().isEmpty()) {
			throw new InvalidArgumentsException("The call of '%s' lacks what it requires: give a value for %s."
				.formatted(tool.tool(), String.join(", ", arguments.missing())));
		}
		return arguments;
	}

	private CallIdentity identify(ToolPolicy tool, IncomingCall call, Arguments arguments) {
		if (tool.duplicates() == Duplicates.ALLOW) {
			return this.occurrences.identify(tool, call, arguments);
		}
		return CallIdentity.of(call.taskId(), call.toolCallId(), tool.tool(), arguments.fingerprint());
	}

	private static Answer replay(Operation operation) {
		return new Answer.Result(operation.requestId(), operation.result(), true);
	}

	/**
	 * Take no more calls but those that running tools make. Those under way go on, and
	 * their leases are kept.
	 */
	public void drain() {
		this.admission.drain();
	}

	/**
	 * Take calls again after {@link #drain()}; not after {@link #close()}.
	 */
	public void open() {
		this.admission.open();
	}

	/**
	 * Wait until no call is under way.
	 * @param patience how long to wait
	 * @return {@code false} if there still was one when the time was over; nothing of it
	 * was released
	 * @throws InterruptedException if the thread was interrupted
	 */
	public boolean awaitDrained(Duration patience) throws InterruptedException {
		return this.admission.awaitEmpty(patience);
	}

	/**
	 * Take no more calls, ever, and stop renewing leases. Running attempts still record
	 * their outcome.
	 */
	@Override
	public void close() {
		this.admission.close();
		this.leases.close();
	}

	/**
	 * How long things may take.
	 *
	 * @param lease how long a claim stands without being renewed
	 * @param maxRun how long a running attempt is renewed at most
	 * @param waitTimeout how long a duplicate waits for a running call
	 */
	public record Timing(Duration lease, Duration maxRun, Duration waitTimeout) {

		public Timing {
			Objects.requireNonNull(waitTimeout, "waitTimeout");
			if (lease.isNegative() || lease.isZero()) {
				throw new IllegalArgumentException("idem.lease must be positive, but is " + lease);
			}
			if (maxRun.compareTo(lease) < 0) {
				throw new IllegalArgumentException(
						"idem.max-run must not be shorter than idem.lease, but is " + maxRun + " against " + lease);
			}
			if (waitTimeout.isNegative()) {
				throw new IllegalArgumentException("idem.wait.timeout must not be negative, but is " + waitTimeout);
			}
		}

	}

}
