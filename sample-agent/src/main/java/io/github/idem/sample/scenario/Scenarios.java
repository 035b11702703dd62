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
import static io.github.idem.sample.standin.Treatment.DECLINED;
import static io.github.idem.sample.standin.Treatment.PROMPT;

/**
 * The scenarios, one a method.
 */
final class Scenarios {

	private static final String CHARGE = "{\"user\":\"u1\",\"amount\":29.9}";

	private static final String SAME_CHARGE = "{\"amount\":29.90, \"user\":\"u1\"}";

	private static final String RECEIPT = "\"Charged, receipt ch_1\"";

	private static final String SHORT_TIMEOUT = "spring.http.clients.read-timeout=500ms";

	private static final String OFTEN = "idem.recovery.interval=200ms";

	private Scenarios() {
	}

	static List<Scenario> all() {
		return Stream
			.of(duplicatePlan(), replan(), lostResponse(), lateApply(), refused(), opaqueDownstream(), crash(),
					replayOfTask(), twoAgents())
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
			.model(calls(call("call_1", "charge", CHARGE)), calls(call("call_2", "charge", CHARGE)), says("Paid."))
			.gateway(always(PROMPT).first(PROMPT.answersAfter(Duration.ofMillis(1500))))
			.property(SHORT_TIMEOUT)
			.play(Stage::ask)
			.expect(chargesWithout(2).modelIsTold(2, RECEIPT));
	}

	/**
	 * The charge is made long after the client has given up; until then the gateway
	 * honestly says that it has none. The model tries again at once, and the user later.
	 */
	private static Scenario lateApply() {
		return Scenario.named("late-apply")
			.model(calls(call("call_1", "charge", CHARGE)), calls(call("call_2", "charge", CHARGE)),
					says("It may be paid; I will know soon."))
			.gateway(always(PROMPT)
				.first(PROMPT.appliesAfter(Duration.ofMillis(2500)).answersAfter(Duration.ofMillis(3000))))
			.property(SHORT_TIMEOUT)
			.property("idem.probe.max-attempts=1")
			.property("idem.probe.delay=100ms")
			.property(OFTEN)
			.play((stage) -> {
				stage.ask();
				stage.awaitStatus(OperationStatus.SUCCEEDED);
				stage.ask();
			})
			.expect(chargesWithout(4).modelIsTold(2, "\"status\":\"IN_DOUBT\"", "not call").modelIsTold(2, RECEIPT));
	}

	/** The card is declined, and the model corrects the amount: nothing is in the way. */
	private static Scenario refused() {
		return Scenario.named("refused")
			.model(calls(call("call_1", "charge", CHARGE)),
					calls(call("call_2", "charge", "{\"user\":\"u1\",\"amount\":19.9}")), says("Paid."))
			.gateway(always(PROMPT).first(DECLINED))
			.play(Stage::ask)
			.expect(chargesWithout(1).afterOneThatEnds(OperationStatus.FAILED)
				.modelIsTold(1, "declined", "no money was taken")
				.modelIsTold(1, RECEIPT));
	}

	/** The same loss where nobody can be asked: a person looks and settles it. */
	private static Scenario opaqueDownstream() {
		return Scenario.named("opaque-downstream")
			.model(calls(call("call_1", "charge", CHARGE)), says("I will look into it."))
			.gateway(always(PROMPT).first(PROMPT.answersAfter(Duration.ofMillis(1500))))
			.property(SHORT_TIMEOUT)
			.property("idem.tools.charge.downstream=opaque")
			.play((stage) -> {
				stage.ask();
				stage.settleByHand();
				stage.ask();
			})
			.expect(chargesWithout(2).modelIsTold(1, "\"status\":\"IN_DOUBT\"", "a person").modelIsTold(1, RECEIPT));
	}

	/** The process is killed after the charge; the next one finds it. */
	private static Scenario crash() {
		return Scenario.named("crash")
			.model(calls(call("call_1", "charge", CHARGE)), says("Paid."))
			.gateway(always(PROMPT).first(PROMPT.answersAfter(Duration.ofSeconds(30))))
			.property("spring.http.clients.read-timeout=60s")
			.property("idem.lease=2s")
			.property(OFTEN)
			.play((stage) -> {
				stage.askAndKill();
				stage.awaitStatus(OperationStatus.SUCCEEDED);
				stage.ask();
			})
			.expect(chargesWithout(2).modelIsTold(1, RECEIPT));
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
