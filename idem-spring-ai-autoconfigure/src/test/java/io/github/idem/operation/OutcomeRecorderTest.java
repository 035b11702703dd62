package io.github.idem.operation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.idem.IdempotencyStoreException;
import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class OutcomeRecorderTest {

	private static final Operation OPERATION = new Operation("test", "t1:c1", "t1", "c1", "charge",
			OperationStatus.IN_PROGRESS, 1, 1, false, null, "{}", null, null, Instant.EPOCH, Instant.EPOCH);

	private static final Claim.Granted GRANT = new Claim.Granted(OPERATION, "owner");

	private final List<Operation> notRecorded = new ArrayList<>();

	private final AtomicInteger writes = new AtomicInteger();

	@AfterEach
	void clearInterrupt() {
		Thread.interrupted();
	}

	@Test
	void anOutcomeThatCannotBeWrittenIsLoggedAndReported(CapturedOutput output) {
		assertThat(recorder(Duration.ofMillis(200)).record(GRANT, "SUCCEEDED", () -> failing(Integer.MAX_VALUE)))
			.isEmpty();
		assertThat(this.writes.get()).as("tries").isGreaterThan(1);
		assertThat(this.notRecorded).containsExactly(OPERATION);
		assertThat(output).contains("t1:c1: charge ended SUCCEEDED but that could not be recorded");
	}

	@Test
	void whateverElseAWriteFailsWithIsLoggedAndReportedToo(CapturedOutput output) {
		assertThat(recorder(Duration.ofSeconds(30)).record(GRANT, "FAILED", () -> {
			throw new IllegalStateException("a defect");
		})).isEmpty();
		assertThat(this.notRecorded).containsExactly(OPERATION);
		assertThat(output).contains("a defect");
	}

	@Test
	void aShortOutageIsOutlastedAlsoByAnInterruptedThreadWhichStaysInterrupted() {
		Thread.currentThread().interrupt();
		assertThat(recorder(Duration.ofSeconds(30)).record(GRANT, "SUCCEEDED", () -> failing(2)))
			.contains(new Settlement.Recorded(OPERATION));
		assertThat(this.writes.get()).isEqualTo(3);
		assertThat(this.notRecorded).isEmpty();
		assertThat(Thread.currentThread().isInterrupted()).isTrue();
	}

	private Settlement failing(int times) {
		if (this.writes.getAndIncrement() < times) {
			throw new IdempotencyStoreException("the database is away");
		}
		return new Settlement.Recorded(OPERATION);
	}

	private OutcomeRecorder recorder(Duration patience) {
		return new OutcomeRecorder(patience, this.notRecorded::add);
	}

}
