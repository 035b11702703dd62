package io.github.idem.sample.scenario;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.idem.OperationStatus;
import io.github.idem.sample.standin.GatewayBehaviour;
import io.github.idem.sample.standin.ModelScript;
import io.github.idem.sample.standin.Treatment;

import static io.github.idem.sample.standin.Answer.call;
import static io.github.idem.sample.standin.Answer.calls;
import static io.github.idem.sample.standin.Answer.says;

/**
 * The scenarios, one a method.
 */
final class Scenarios {

	private static final String CHARGE = """
			{"user":"u1","amount":29.9}""";

	private static final String SAME_CHARGE = """
			{"amount":29.90, "user":"u1"}""";

	private Scenarios() {
	}

	static List<Scenario> all() {
		return Stream.of(duplicatePlan(), replan(), lostResponse(), replayOfTask(), twoAgents())
			.flatMap((scenario) -> Stream.of(scenario, scenario.overStreaming()))
			.toList();
	}

	/** One answer of the model charges twice. */
	private static Scenario duplicatePlan() {
		return new Scenario("duplicate-plan",
				ModelScript.of(calls(call("call_1", "charge", CHARGE), call("call_2", "charge", SAME_CHARGE)),
						says("Paid.")),
				GatewayBehaviour.always(Treatment.PROMPT),

				Stage::ask,

				Expectation.chargesWithout(2).modelIsTold(2, "Charged, receipt ch_1"));
	}

	/** The charge is made, and the model plans it again. */
	private static Scenario replan() {
		return new Scenario("replan",
				ModelScript.of(calls(call("call_1", "charge", CHARGE)), calls(call("call_2", "charge", SAME_CHARGE)),
						says("Paid.")),
				GatewayBehaviour.always(Treatment.PROMPT),

				Stage::ask,

				Expectation.chargesWithout(2).modelIsTold(2, "Charged, receipt ch_1"));
	}

	/** The charge is made, its answer comes too late, and the model tries again. */
	private static Scenario lostResponse() {
		return new Scenario("lost-response",
				ModelScript.of(calls(call("call_1", "charge", CHARGE)), calls(call("call_2", "charge", CHARGE)),
						says("I could not find out whether it is paid.")),
				GatewayBehaviour.always(Treatment.PROMPT).first(Treatment.PROMPT.answersAfter(Duration.ofMillis(1500))),

				Stage::ask,

				Expectation.chargesWithout(2)
					.ends(OperationStatus.IN_DOUBT)
					.modelIsTold(2, "\"status\":\"IN_DOUBT\"", "not call"))
			.with("spring.http.clients.read-timeout=500ms");
	}

	/** The caller makes the whole request again after a restart. */
	private static Scenario replayOfTask() {
		return new Scenario("replay-of-task", ModelScript.of(calls(call("call_1", "charge", CHARGE)), says("Paid.")),
				GatewayBehaviour.always(Treatment.PROMPT),

				(stage) -> {
					stage.ask();
					stage.restart();
					stage.ask();
				},

				Expectation.chargesWithout(2).modelIsTold(2, "Charged, receipt ch_1"));
	}

	/** Twenty workers were handed the same task. */
	private static Scenario twoAgents() {
		return new Scenario("two-agents", ModelScript.of(calls(call("call_1", "charge", CHARGE)), says("Paid.")),
				GatewayBehaviour.always(Treatment.PROMPT.answersAfter(Duration.ofMillis(200))),

				(stage) -> stage.askAtOnce(20),

				Expectation.chargesWithout(20).modelIsTold(20, "Charged, receipt ch_1"));
	}

}
