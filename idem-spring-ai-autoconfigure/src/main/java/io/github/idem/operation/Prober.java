package io.github.idem.operation;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.idem.Operation;
import io.github.idem.Outcome;
import io.github.idem.OutcomeProbe;

/**
 * Asks probes, each on a thread of its own and for a bounded time. A probe that hangs
 * holds up nobody else: neither its caller for longer than the timeout, nor the probes of
 * other tools.
 */
public final class Prober {

	/** More than so many that hang, and the tool's probe is not asked any more. */
	private static final int AT_ONCE_PER_TOOL = 16;

	private final Duration timeout;

	private final ConcurrentMap<String, Semaphore> places = new ConcurrentHashMap<>();

	/**
	 * Create a prober.
	 * @param timeout how long one question may take
	 */
	public Prober(Duration timeout) {
		this.timeout = timeout;
	}

	/**
	 * How long one question may take.
	 * @return the time
	 */
	public Duration timeout() {
		return this.timeout;
	}

	/**
	 * Ask once.
	 * @param probe whom to ask
	 * @param operation about what
	 * @return the answer; {@link Outcome.Unknown} if the probe threw, gave none in time,
	 * or too many questions of the tool hang, or this thread was interrupted, which it
	 * then still is
	 */
	public Outcome ask(OutcomeProbe probe, Operation operation) {
		Semaphore place = this.places.computeIfAbsent(operation.tool(), (tool) -> new Semaphore(AT_ONCE_PER_TOOL));
		if (!place.tryAcquire()) {
			return new Outcome.Unknown("too many probes of this tool hang");
		}
		FutureTask<Outcome> question = new FutureTask<>(() -> {
			try {
				return probe.probe(operation);
			}
			finally {
				place.release();
			}
		});
		Thread thread = new Thread(question, "idem-probe-" + operation.tool());
		thread.setDaemon(true);
		thread.start();
		try {
			Outcome outcome = question.get(this.timeout.toNanos(), TimeUnit.NANOSECONDS);
			return (outcome != null) ? outcome : new Outcome.Unknown("the probe gave null");
		}
		catch (TimeoutException ex) {
			thread.interrupt();
			return new Outcome.Unknown("no answer within " + this.timeout);
		}
		catch (ExecutionException ex) {
			return new Outcome.Unknown("the probe failed with " + ex.getCause());
		}
		catch (InterruptedException ex) {
			thread.interrupt();
			Thread.currentThread().interrupt();
			return new Outcome.Unknown("the caller was interrupted");
		}
	}

}
