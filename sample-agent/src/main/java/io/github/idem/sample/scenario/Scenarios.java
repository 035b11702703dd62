package io.github.idem.sample.scenario;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.idem.OperationStatus;

import static io.github.idem.sample.scenario.Expectation.chargesWithout;
import static io.github.idem.sample.standin.Answer.call;
import static io.github.idem.sample.standin.Answer.calls;
import static io.github.idem.sample.standin.Answer.says;
import static io.github.idem.sample.standin.GatewayBehaviour.always;
import static io.github.idem.sample.standin.Treatment.PROMPT;

/**
 * The scenarios, one a method.
 */
final class Scenarios {

	private static final String CHARGE = "{\"user\":\"u1\",\"amount\":29.9}";

	private static final String SAME_CHARGE = "{\"amount\":29.90, \"user\":\"u1\"}";

	private static final String RECEIPT = "Charged, receipt ch_1";

	private Scenarios() {
	}

	static List<Scenario> all() {
		return Stream.of(duplicatePlan(), replan(), lostResponse(), replayOfTask(), twoAgents())
			.flatMap((scenario) -> Stream.of(scenario, scenario.overStreaming()))
			.toList();
	}

	/** One answer of the model charges twice. */
	private static Scenario duplicatePlan() {
		return Scenario.named("duplicate-plan")
			.model(calls(call("call_1", "charge", CHARGE), call("call_2", "charge", SAME_CHARGE)), says("Paid."))
			.gateway(always(PROMPT))
			.play(Stage::ask)
			.expect(chargesWithout(2).modelIsTold(2, RECEIPT));
	}

	/** The charge is made, and the model plans it again. */
	private static Scenario replan() {
		return Scenario.named("replan")
			.model(calls(call("call_1", "charge", CHARGE)), calls(call("call_2", "charge", SAME_CHARGE)), says("Paid."))
			.gateway(always(PROMPT))
			.play(Stage::ask)
			.expect(chargesWithout(2).modelIsTold(2, RECEIPT));
	}

	/** The charge is made, its answer comes too late, and the model tries again. */
	private static Scenario lostResponse() {
		return Scenario.named("lost-response")
			.model(calls(call("call_1", "charge", CHARGE)), calls(call("call_2", "charge", CHARGE)),
					says("It may be paid; a person has to look."))
			.gateway(always(PROMPT).first(PROMPT.answersAfter(Duration.ofMillis(1500))))
			.property("spring.http.clients.read-timeout=500ms")
			.play(Stage::ask)
			.expect(chargesWithout(2).ends(OperationStatus.IN_DOUBT)
				.modelIsTold(2, "\"status\":\"IN_DOUBT\"", "not call"));
	}

	/** The caller makes the whole request again, after a restart. */
	private static Scenario replayOfTask() {
		return Scenario.named("replay-of-task")
			.model(calls(call("call_1", "charge", CHARGE)), says("Paid."))
			.gateway(always(PROMPT))
			.play((stage) -> {
				stage.ask();
				stage.restart();
				stage.ask();
			})
			.expect(chargesWithout(2).modelIsTold(2, RECEIPT));
	}

	/** Twenty workers were handed the same task. */
	private static Scenario twoAgents() {
		return Scenario.named("two-agents")
			.model(calls(call("call_1", "charge", CHARGE)), says("Paid."))
			.gateway(always(PROMPT.answersAfter(Duration.ofMillis(200))))
			// Patience enough for a slow machine; what waiting too long looks like is not
			// shown here.
			.property("idem.wait.timeout=20s")
			.play((stage) -> stage.askAtOnce(20))
			.expect(chargesWithout(20).modelIsTold(20, RECEIPT));
	}

}
