package io.github.idem.operation;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.github.idem.OperationStatus;
import io.github.idem.operation.Transition.Trigger;
import org.jspecify.annotations.Nullable;

import static io.github.idem.OperationStatus.FAILED;
import static io.github.idem.OperationStatus.IN_DOUBT;
import static io.github.idem.OperationStatus.IN_PROGRESS;
import static io.github.idem.OperationStatus.SUCCEEDED;
import static org.assertj.core.api.Assertions.assertThat;

/** The state machine, as a list of what may follow what and why. */
public final class WalkRules {

	private static final List<Step> ALLOWED = List.of(new Step(null, IN_PROGRESS, Trigger.CLAIMED),
			new Step(FAILED, IN_PROGRESS, Trigger.CLAIMED), new Step(IN_PROGRESS, SUCCEEDED, Trigger.RETURNED),
			new Step(IN_PROGRESS, FAILED, Trigger.THREW), new Step(IN_PROGRESS, IN_DOUBT, Trigger.THREW),
			new Step(IN_PROGRESS, IN_DOUBT, Trigger.LEASE_EXPIRED), new Step(IN_DOUBT, SUCCEEDED, Trigger.RETURNED),
			new Step(IN_DOUBT, FAILED, Trigger.THREW), new Step(IN_DOUBT, IN_DOUBT, Trigger.THREW),
			new Step(IN_DOUBT, SUCCEEDED, Trigger.PROBED), new Step(IN_DOUBT, FAILED, Trigger.PROBED),
			new Step(IN_DOUBT, SUCCEEDED, Trigger.RESOLVED), new Step(IN_DOUBT, FAILED, Trigger.RESOLVED),
			new Step(IN_DOUBT, IN_DOUBT, Trigger.RESOLVED), new Step(IN_DOUBT, IN_PROGRESS, Trigger.SENT_AGAIN),
			new Step(FAILED, FAILED, Trigger.DISPUTED), new Step(IN_PROGRESS, IN_PROGRESS, Trigger.DISPUTED),
			new Step(IN_DOUBT, IN_DOUBT, Trigger.DISPUTED), new Step(FAILED, FAILED, Trigger.PROBED),
			new Step(FAILED, FAILED, Trigger.RESOLVED), new Step(FAILED, IN_DOUBT, Trigger.RESOLVED),
			new Step(SUCCEEDED, SUCCEEDED, Trigger.RESOLVED));

	private WalkRules() {
	}

	/** Versions without gaps from 1, each change from where the one before led. */
	public static void assertIsPath(String requestId, List<Transition> trail) {
		OperationStatus before = null;
		long version = 0;
		for (Transition change : trail) {
			assertThat(change.version()).as("versions of %s: %s", requestId, trail).isEqualTo(++version);
			assertThat(change.from()).as("path of %s: %s", requestId, trail).isEqualTo(before);
			assertThat(ALLOWED).as("path of %s: %s", requestId, trail).contains(Step.of(change));
			before = change.to();
		}
	}

	/** How often each allowed change was made, those never made too. */
	static Map<String, Long> taken(ModelledStore store) {
		Map<String, Long> taken = store.operations.values()
			.stream()
			.flatMap((operation) -> operation.trail.stream())
			.map((change) -> new Step(change.from(), change.to(), change.trigger()).toString())
			.collect(Collectors.groupingBy((step) -> step, TreeMap::new, Collectors.counting()));
		ALLOWED.forEach((step) -> taken.putIfAbsent(step.toString(), 0L));
		return taken;
	}

	static boolean wasEverywhere(ModelledStore store) {
		return !taken(store).containsValue(0L);
	}

	private record Step(@Nullable OperationStatus from, OperationStatus to, Trigger trigger) {

		static Step of(Transition change) {
			return new Step(change.from(), change.to(), change.trigger());
		}

		@Override
		public String toString() {
			return this.from + " -> " + this.to + " " + this.trigger;
		}

	}

}
