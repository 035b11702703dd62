package io.github.idem.operation;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.idem.IdempotencyStoreException;
import io.github.idem.Operation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes how attempts ended, also while the database is away for a short time and
 * whatever becomes of the thread. If it can't be written in the end, the caller still
 * gets the true outcome, and the row is put in doubt when its lease ends.
 */
final class OutcomeRecorder {

	private static final Logger logger = LoggerFactory.getLogger(OutcomeRecorder.class);

	private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

	private final Duration patience;

	private final EngineHooks.Events events;

	OutcomeRecorder(Duration patience, EngineHooks.Events events) {
		this.patience = patience;
		this.events = events;
	}

	/**
	 * Write an outcome.
	 * @param write writes it; may be asked again after it failed
	 * @return what it came to; empty if it could not be written
	 */
	Optional<Settlement> record(Claim.Granted grant, String outcome, Supplier<Settlement> write) {
		Operation operation = grant.operation();
		Settlement settlement;
		try {
			settlement = writePatiently(operation, write);
		}
		catch (RuntimeException ex) {
			logger.error("{}: {} ended {} but that could not be recorded; it will be in doubt when its lease ends",
					operation.requestId(), operation.tool(), outcome, ex);
			this.events.outcomeNotRecorded(operation);
			return Optional.empty();
		}
		if (settlement instanceof Settlement.Superseded superseded) {
			logger.error("{}: {} ended {} after its claim was lost and the record had become {}; kept as a discrepancy",
					operation.requestId(), operation.tool(), outcome, superseded.current().status());
		}
		return Optional.of(settlement);
	}

	private Settlement writePatiently(Operation operation, Supplier<Settlement> write) {
		long deadline = System.nanoTime() + TimeUnit.NANOSECONDS.convert(this.patience);
		Duration pause = FIRST_PAUSE;
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return write.get();
				}
				catch (IdempotencyStoreException ex) {
					if (System.nanoTime() + pause.toNanos() - deadline >= 0) {
						throw ex;
					}
					logger.warn("{}: the outcome of {} could not be written, trying again in {} ms",
							operation.requestId(), operation.tool(), pause.toMillis(), ex);
				}
				interrupted |= !Sleep.uninterrupted(pause);
				pause = (pause.compareTo(LONGEST_PAUSE) < 0) ? pause.multipliedBy(2) : LONGEST_PAUSE;
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
