package io.github.idem.operation;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.idem.IdempotencyStoreException;
import io.github.idem.Operation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waiting for a call that somebody else runs: a bounded time, then "in progress". A call
 * in this JVM wakes its waiters; one in another process is looked for in the store, and
 * so is one that has taken the next attempt from the call that is waiting itself. Waiters
 * get the outcome of the attempt they waited for, its failure too: only calls that come
 * later claim again.
 */
final class Waiting {

	private static final Logger logger = LoggerFactory.getLogger(Waiting.class);

	private static final Duration FIRST_LOOK = Duration.ofMillis(20);

	private static final Duration LAST_LOOK = Duration.ofMillis(500);

	private final OperationStore store;

	private final Duration patience;

	private final ConcurrentMap<String, Announced> running = new ConcurrentHashMap<>();

	Waiting(OperationStore store, Duration patience) {
		this.store = store;
		this.patience = patience;
	}

	/** Announce an attempt of this JVM, and those that its thread makes after it. */
	Announcement announce(Claim.Granted grant) {
		String requestId = grant.operation().requestId();
		Announced announced = new Announced(Thread.currentThread(), new CompletableFuture<>());
		this.running.put(requestId, announced);
		return (answer) -> {
			this.running.remove(requestId, announced);
			announced.outcome().complete(answer);
		};
	}

	/** Wait for the attempt that holds the claim. */
	Answer await(Operation claimed) {
		try {
			return awaitInterruptibly(claimed);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return Answer.Notice.inProgress(claimed.requestId());
		}
	}

	private Answer awaitInterruptibly(Operation claimed) throws InterruptedException {
		long patience = TimeUnit.NANOSECONDS.convert(this.patience);
		long deadline = System.nanoTime() + patience;
		long pause = FIRST_LOOK.toNanos();
		for (long left = patience; left > 0; left = deadline - System.nanoTime()) {
			Announced local = this.running.get(claimed.requestId());
			if (local != null && local.thread() != Thread.currentThread()) {
				return outcome(local.outcome(), left, claimed);
			}
			Answer answer = lookIfPossible(claimed);
			if (answer != null) {
				return answer;
			}
			TimeUnit.NANOSECONDS.sleep(Math.min(pause, left));
			pause = Math.min(pause * 2, LAST_LOOK.toNanos());
		}
		return Answer.Notice.inProgress(claimed.requestId());
	}

	private Answer outcome(CompletableFuture<Answer> local, long nanos, Operation claimed) throws InterruptedException {
		try {
			Answer answer = local.get(nanos, TimeUnit.NANOSECONDS);
			return (answer instanceof Answer.Result result) ? new Answer.Result(result.requestId(), result.text(), true)
					: answer;
		}
		catch (TimeoutException ex) {
			return Answer.Notice.inProgress(claimed.requestId());
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("an announced attempt ends with an answer", ex);
		}
	}

	/** A look that fails says nothing about the call that is waited for. */
	private @Nullable Answer lookIfPossible(Operation claimed) {
		try {
			return look(claimed);
		}
		catch (IdempotencyStoreException ex) {
			logger.debug("{}: the record could not be asked for what is waited for, looking again", claimed.requestId(),
					ex);
			return null;
		}
	}

	private @Nullable Answer look(Operation claimed) {
		Optional<Operation> found = this.store.find(claimed.requestId());
		if (found.isEmpty()) {
			return Answer.Notice.inDoubt(claimed.requestId());
		}
		Operation now = found.get();
		return switch (now.status()) {
			case IN_PROGRESS -> failedSince(claimed, now);
			case COMPENSATING -> null;
			default -> Answer.standing(now);
		};
	}

	/**
	 * The attempt that was waited for failed, and another one has begun since; unless it
	 * was sent again, which is still the same wait.
	 */
	private static @Nullable Answer failedSince(Operation claimed, Operation now) {
		String error = now.error();
		return (now.attempt() == claimed.attempt() || now.mayHaveApplied()) ? null : new Answer.Failed(now.requestId(),
				(error != null) ? error : "The call failed and took no effect.", null);
	}

	private record Announced(Thread thread, CompletableFuture<Answer> outcome) {
	}

	/** Ends an announced attempt. */
	interface Announcement {

		void end(Answer answer);

	}

}
