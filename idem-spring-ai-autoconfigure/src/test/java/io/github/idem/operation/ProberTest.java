package io.github.idem.operation;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;

import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import io.github.idem.Outcome;
import io.github.idem.OutcomeProbe;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A probe may throw, hang or give nothing; none of it is evidence. */
class ProberTest {

	private final Prober prober = new Prober(Duration.ofMillis(100));

	@Test
	void aProbeThatHangsHoldsUpNeitherItsCallerNorTheProbesOfOtherTools() {
		CountDownLatch never = new CountDownLatch(1);
		OutcomeProbe hanging = probe((operation) -> {
			while (never.getCount() > 0) {
				try {
					never.await();
				}
				catch (InterruptedException ex) {
					// hangs all the same
				}
			}
			return new Outcome.Applied("too late");
		});
		for (int i = 0; i < 20; i++) {
			assertThat(this.prober.ask(hanging, operation("hanging"))).isInstanceOf(Outcome.Unknown.class);
		}
		assertThat(this.prober.ask(probe((operation) -> new Outcome.Applied("found")), operation("other")))
			.isEqualTo(new Outcome.Applied("found"));
		never.countDown();
	}

	@Test
	void aProbeThatThrowsOrGivesNothingSaysNothing() {
		assertThat(this.prober.ask(probe((operation) -> {
			throw new IllegalStateException("gateway is down");
		}), operation("charge")))
			.isEqualTo(new Outcome.Unknown("the probe failed with java.lang.IllegalStateException: gateway is down"));
		assertThat(this.prober.ask(probe((operation) -> null), operation("charge")))
			.isInstanceOf(Outcome.Unknown.class);
	}

	@Test
	void aCallerThatIsInterruptedStaysInterruptedAndLearnsNothing() {
		CountDownLatch never = new CountDownLatch(1);
		Thread.currentThread().interrupt();
		assertThat(this.prober.ask(probe((operation) -> {
			try {
				never.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			return new Outcome.Applied("found");
		}), operation("charge"))).isInstanceOf(Outcome.Unknown.class);
		assertThat(Thread.interrupted()).isTrue();
	}

	private interface Answering {

		@Nullable Outcome answer(Operation operation);

	}

	private static OutcomeProbe probe(Answering answering) {
		return new OutcomeProbe() {
			@Override
			public String tool() {
				return "charge";
			}

			@Override
			public Outcome probe(Operation operation) {
				return answering.answer(operation);
			}
		};
	}

	private static Operation operation(String tool) {
		return new Operation("test", "t1:c1", "t1", "c1", tool, OperationStatus.IN_DOUBT, 2, 1, true, null, "{}", null,
				"lost", Instant.EPOCH, Instant.EPOCH);
	}

}
