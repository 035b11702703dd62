package io.github.idem.sample.scenario;

import java.util.ArrayList;
import java.util.List;

import io.github.idem.sample.standin.Answer;
import io.github.idem.sample.standin.GatewayBehaviour;
import io.github.idem.sample.standin.ModelScript;
import io.github.idem.sample.standin.Treatment;

/**
 * Something that goes wrong, and how it has to end.
 *
 * @param name as it stands in the table and the report
 * @param model what the model answers
 * @param gateway how the payment gateway behaves
 * @param properties of the application, beyond its own
 * @param play what the users do
 * @param expected how it has to end
 * @param streaming whether the agent streams the model's answers
 */
record Scenario(String name, ModelScript model, GatewayBehaviour gateway, List<String> properties, Play play,
		Expectation expected, boolean streaming) {

	Scenario {
		properties = List.copyOf(properties);
	}

	static Draft named(String name) {
		return new Draft(name);
	}

	/**
	 * The same with an agent that streams the model's answers.
	 */
	Scenario overStreaming() {
		return new Scenario(this.name + "-stream", this.model, this.gateway, this.properties, this.play, this.expected,
				true);
	}

	/** What the users do. */
	@FunctionalInterface
	interface Play {

		void on(Stage stage) throws Exception;

	}

	/** A scenario that is being written down, from its name to its end. */
	static final class Draft {

		private final String name;

		private ModelScript model = ModelScript.of(Answer.says("Hello."));

		private GatewayBehaviour gateway = GatewayBehaviour.always(Treatment.PROMPT);

		private final List<String> properties = new ArrayList<>();

		private Play play = Stage::ask;

		private Draft(String name) {
			this.name = name;
		}

		Draft model(Answer... answers) {
			this.model = ModelScript.of(answers);
			return this;
		}

		Draft gateway(GatewayBehaviour gateway) {
			this.gateway = gateway;
			return this;
		}

		Draft property(String property) {
			this.properties.add(property);
			return this;
		}

		Draft play(Play play) {
			this.play = play;
			return this;
		}

		Scenario expect(Expectation expected) {
			return new Scenario(this.name, this.model, this.gateway, this.properties, this.play, expected, false);
		}

	}

}
