package io.github.idem.observe;

import io.github.idem.Operation;
import io.github.idem.operation.EngineHooks;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts what has to alarm somebody. */
public final class EngineMetrics implements EngineHooks.Events {

	/** Outcomes that could not be written; their operations will be in doubt. */
	public static final String NOT_RECORDED = "idem.outcomes.not.recorded";

	private final MeterRegistry registry;

	/**
	 * Create the metrics.
	 * @param registry where they are kept
	 */
	public EngineMetrics(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void outcomeNotRecorded(Operation operation) {
		Counter.builder(NOT_RECORDED)
			.description("Outcomes of tool calls that could not be written to the record")
			.tag("tool", operation.tool())
			.register(this.registry)
			.increment();
	}

}
