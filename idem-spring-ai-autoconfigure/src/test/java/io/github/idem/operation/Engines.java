package io.github.idem.operation;

import java.time.Duration;

/** Engines for tests: they try as often as by default, but hardly wait in between. */
public final class Engines {

	private static final Pauses SHORT = () -> () -> Duration.ofMillis(1);

	private Engines() {
	}

	public static IdempotentExecutor on(OperationStore store, IdempotentExecutor.Timing timing) {
		return on(store, timing, EngineHooks.none());
	}

	public static IdempotentExecutor on(OperationStore store, IdempotentExecutor.Timing timing, EngineHooks hooks) {
		return new IdempotentExecutor(store, settings(timing), hooks);
	}

	public static EngineSettings settings(IdempotentExecutor.Timing timing) {
		return new EngineSettings(timing, new EngineSettings.Tries(3, SHORT), new EngineSettings.Tries(3, SHORT),
				Duration.ofSeconds(2), Duration.ofHours(12), Duration.ofSeconds(1));
	}

}
