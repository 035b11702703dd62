package io.github.idem.operation;

import java.util.Objects;
import java.util.Set;

import io.github.idem.Downstream;
import io.github.idem.EffectBoundary;
import io.github.idem.OutcomeProbe;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a tool's effect: what tells that it did not happen, and what can be
 * done when nothing does.
 *
 * @param downstream what downstream does for us; never {@link Downstream#AUTO}
 * @param boundary where in the tool's body the effect can be made
 * @param notAppliedFor exceptions by which the tool says that nothing happened
 * @param probe asks downstream; {@code null} if nothing can
 * @param notFoundIsFinal whether the developer takes the risk that a request which was
 * not found after the settle time never arrives
 */
public record EffectPolicy(Downstream downstream, EffectBoundary boundary,
		Set<Class<? extends Throwable>> notAppliedFor, @Nullable OutcomeProbe probe, boolean notFoundIsFinal) {

	/** Of a tool of which nothing was said. */
	public static final EffectPolicy OPAQUE = new EffectPolicy(Downstream.OPAQUE, EffectBoundary.ANYWHERE, Set.of(),
			null, false);

	public EffectPolicy {
		Objects.requireNonNull(downstream, "downstream");
		Objects.requireNonNull(boundary, "boundary");
		notAppliedFor = Set.copyOf(notAppliedFor);
		if (downstream == Downstream.AUTO) {
			throw new IllegalArgumentException("AUTO is to be resolved before");
		}
	}

}
