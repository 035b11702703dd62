package io.github.idem.tool;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

import io.github.idem.Downstream;
import io.github.idem.EffectBoundary;
import io.github.idem.IdempotencyException;
import io.github.idem.OutcomeProbe;
import io.github.idem.operation.EffectPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * Works out what is known of a tool's effect: what was written, the application's
 * defaults, and the probes there are.
 */
public final class EffectPolicies {

	private final Downstream defaultDownstream;

	private final EffectBoundary defaultBoundary;

	private final Supplier<Map<String, OutcomeProbe>> probes;

	private final Supplier<Boolean> observesHttp;

	private final Supplier<Boolean> transactional;

	/**
	 * Create the look-up.
	 * @param defaultDownstream of tools that don't say
	 * @param defaultBoundary of tools that don't say
	 * @param probes the application's probes by bean name; asked for when the first tool
	 * is looked up
	 * @param observesHttp whether HTTP clients report what they send
	 * @param transactional whether effects can be made in one transaction with the record
	 */
	public EffectPolicies(Downstream defaultDownstream, EffectBoundary defaultBoundary,
			Supplier<Map<String, OutcomeProbe>> probes, Supplier<Boolean> observesHttp,
			Supplier<Boolean> transactional) {
		this.defaultDownstream = defaultDownstream;
		this.defaultBoundary = defaultBoundary;
		this.probes = probes;
		this.observesHttp = observesHttp;
		this.transactional = transactional;
	}

	/**
	 * What is known of a tool's effect.
	 * @throws IdempotencyException if what was written makes no sense; the message says
	 * what to write instead
	 */
	EffectPolicy of(String tool, ToolSettings settings) {
		Downstream written = settings.downstream();
		Downstream downstream = (written != null && written != Downstream.AUTO) ? written : this.defaultDownstream;
		EffectBoundary boundary = boundary(settings.effect());
		OutcomeProbe probe = probe(tool, Objects.requireNonNullElse(settings.probe(), ""));
		if (downstream == Downstream.AUTO) {
			downstream = (probe != null) ? Downstream.QUERYABLE : Downstream.OPAQUE;
		}
		check(tool, downstream, boundary, probe, settings);
		boolean asks = downstream == Downstream.QUERYABLE || downstream == Downstream.IDEMPOTENT;
		return new EffectPolicy(downstream, boundary, Objects.requireNonNullElse(settings.notAppliedFor(), Set.of()),
				asks ? probe : null, Boolean.TRUE.equals(settings.notFoundIsFinal()));
	}

	/** The probe that answers for a tool of which nothing else is known. */
	@Nullable OutcomeProbe probe(String tool) {
		return probe(tool, "");
	}

	private EffectBoundary boundary(@Nullable EffectBoundary written) {
		return (written != null && written != EffectBoundary.ANYWHERE) ? written : this.defaultBoundary;
	}

	private @Nullable OutcomeProbe probe(String tool, String name) {
		Map<String, OutcomeProbe> all = this.probes.get();
		if (StringUtils.hasText(name)) {
			OutcomeProbe named = all.get(name);
			if (named == null) {
				throw new IdempotencyException(
						"Tool '%s' names the probe '%s', but the OutcomeProbe beans are %s: correct the name, or define the bean."
							.formatted(tool, name, all.keySet()));
			}
			return named;
		}
		List<String> matching = all.entrySet()
			.stream()
			.filter((entry) -> tool.equals(entry.getValue().tool()))
			.map(Map.Entry::getKey)
			.toList();
		if (matching.size() > 1) {
			throw new IdempotencyException(
					"Tool '%s' has several OutcomeProbe beans, %s: name one of them with probe = \"...\"."
						.formatted(tool, matching));
		}
		return matching.isEmpty() ? null : all.get(matching.get(0));
	}

	private void check(String tool, Downstream downstream, EffectBoundary boundary, @Nullable OutcomeProbe probe,
			ToolSettings settings) {
		if (downstream == Downstream.QUERYABLE && probe == null) {
			throw new IdempotencyException(
					"Tool '%s' is QUERYABLE, but no OutcomeProbe bean has tool() '%s': define one, or name it with probe = \"...\"."
						.formatted(tool, tool));
		}
		boolean unused = downstream == Downstream.OPAQUE || downstream == Downstream.TRANSACTIONAL;
		if (unused && StringUtils.hasText(settings.probe())) {
			throw new IdempotencyException(
					"Tool '%s' is %s and names the probe '%s', which would never be asked: remove one of them."
						.formatted(tool, downstream, settings.probe()));
		}
		if (boundary == EffectBoundary.HTTP && !this.observesHttp.get()) {
			throw new IdempotencyException(
					"""
							Tool '%s' has effect = HTTP, but no HTTP client reports what it sends: add spring-boot-starter-restclient or \
							spring-boot-starter-webclient, or remove effect = HTTP."""
						.formatted(tool));
		}
		if (downstream == Downstream.TRANSACTIONAL && !this.transactional.get()) {
			throw new IdempotencyException(
					"Tool '%s' is TRANSACTIONAL, but there is no single PlatformTransactionManager bean on idem's own data source: define one, or choose another downstream."
						.formatted(tool));
		}
	}

}
