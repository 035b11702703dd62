package io.github.idem.operation;

import java.time.Duration;
import java.util.Objects;
import java.util.UUID;

import io.github.idem.Duplicates;
import io.github.idem.InvalidArgumentsException;
import io.github.idem.Operation;
import io.github.idem.identity.Arguments;
import io.github.idem.identity.CallIdentity;

/**
 * The engine: one call, one operation, one record. Reads what the call is, claims it, and
 * does what the claim allows. The only class that talks to the store on behalf of a call.
 * <p>
 * Safe for any number of threads and processes.
 */
public final class IdempotentExecutor implements AutoCloseable {

	private final OperationStore store;

	private final Duration lease;

	private final Occurrences occurrences;

	private final LeaseKeeper leases;

	private final Waiting waiting;

	private final AttemptRunner attempts;

	/**
	 * Create an engine on a store.
	 * @param store the record
	 * @param timing how long claims stand and duplicates wait
	 */
	public IdempotentExecutor(OperationStore store, Timing timing) {
		this.store = store;
		this.lease = timing.lease();
		this.occurrences = new Occurrences(store);
		this.leases = new LeaseKeeper(store, timing.lease(), timing.maxRun());
		this.waiting = new Waiting(store, timing.waitTimeout());
		this.attempts = new AttemptRunner(store, this.leases, this.waiting, timing.lease());
	}

	/**
	 * Carry out a call, or find out what became of it.
	 * @param tool the tool and its settings
	 * @param call the call
	 * @param body the way into the tool; entered at most once, and only after the attempt
	 * was committed to the record
	 * @return what the caller gets; an {@link Error} of the tool is recorded and
	 * rethrown, wrapped as it came
	 * @throws InvalidArgumentsException if the arguments are not one well-formed JSON
	 * object or do not bind; nothing was recorded
	 * @throws io.github.idem.IdempotencyStoreException if the claim could not be made;
	 * the tool was not entered
	 */
	public Answer execute(ToolPolicy tool, IncomingCall call, ToolBody body) {
		Arguments arguments = read(tool, call);
		String businessKey = tool.binder().bind(call, arguments.json());
		ClaimRequest request = new ClaimRequest(identify(tool, call, arguments), businessKey, call.arguments(),
				UUID.randomUUID().toString(), this.lease);
		long askedAt = System.nanoTime();
		return this.store.claim(request)
			.match((granted) -> this.attempts.run(granted, askedAt, tool, call, arguments.json(), body),
					(completed) -> repeated(completed.operation(), replay(completed.operation()), tool, call),
					(running) -> repeated(running.operation(), this.waiting.await(running.operation()), tool, call),
					(inDoubt) -> Answer.Notice.inDoubt(inDoubt.operation().requestId()),
					(conflict) -> Answer.Notice.conflict(conflict.operation().requestId()));
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
	 * What a repeated call is told. The very same call always gets its result; a re-plan
	 * does not where the tool rejects those.
	 */
	private static Answer repeated(Operation operation, Answer answer, ToolPolicy tool, IncomingCall call) {
		boolean sameCall = !call.toolCallId().isBlank() && call.toolCallId().equals(operation.toolCallId())
				&& call.taskId().equals(operation.taskId());
		boolean rejected = tool.duplicates() == Duplicates.REJECT && !sameCall;
		return (rejected && answer instanceof Answer.Result) ? Answer.Notice.alreadyDone(operation.requestId())
				: answer;
	}

	/**
	 * Stop renewing leases. Running attempts still record their outcome; new ones no
	 * longer enter their tool.
	 */
	@Override
	public void close() {
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
