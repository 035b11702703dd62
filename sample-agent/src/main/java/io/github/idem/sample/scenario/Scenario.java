package io.github.idem.sample.scenario;

import java.util.ArrayList;
import java.util.List;

import io.github.idem.sample.standin.GatewayBehaviour;
import io.github.idem.sample.standin.ModelScript;

/**
 * Something that goes wrong, and how it has to end.
 *
 * @param name as it stands in the table and the report
 * @param model what the model answers
 * @param gateway how the payment gateway behaves
 * @param play what the users do
 * @param expected how it has to end
 * @param properties of the application, beyond its own
 * @param streaming whether the agent streams the model's answers
 */
record Scenario(String name, ModelScript model, GatewayBehaviour gateway, Play play, Expectation expected,
		List<String> properties, boolean streaming) {

	Scenario {
		properties = List.copyOf(properties);
	}

	Scenario(String name, ModelScript model, GatewayBehaviour gateway, Play play, Expectation expected) {
		this(name, model, gateway, play, expected, List.of(), false);
	}

	Scenario with(String property) {
		List<String> more = new ArrayList<>(this.properties);
		more.add(property);
		return new Scenario(this.name, this.model, this.gateway, this.play, this.expected, more, this.streaming);
	}

	/**
	 * The same with an agent that streams the model's answers.
	 */
	Scenario overStreaming() {
		return new Scenario(this.name + "-stream", this.model, this.gateway, this.play, this.expected, this.properties,
				true);
	}

	/** What the users do. */
	@FunctionalInterface
	interface Play {

		void on(Stage stage) throws Exception;

	}

}
