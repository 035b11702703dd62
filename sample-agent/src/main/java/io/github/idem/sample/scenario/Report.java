package io.github.idem.sample.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * What all scenarios came to, as {@code report.json} has it.
 */
@JsonPropertyOrder({ "ok", "scenarios" })
record Report(List<Result> scenarios) {

	Report {
		scenarios = List.copyOf(scenarios);
	}

	@JsonProperty
	boolean ok() {
		return !this.scenarios.isEmpty() && this.scenarios.stream().allMatch(Result::ok);
	}

	void write(Path file) throws IOException {
		Files.createDirectories(file.toAbsolutePath().getParent());
		Files.writeString(file,
				JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writeValueAsString(this));
	}

	/**
	 * One scenario.
	 *
	 * @param problems what is not as expected; not in the report if all is
	 */
	@JsonPropertyOrder({ "name", "unprotected", "protected", "ok", "problems" })
	record Result(String name, @JsonProperty("unprotected") Unprotected without,
			@JsonProperty("protected") Protected with,
			@JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> problems) {

		Result {
			problems = List.copyOf(problems);
		}

		@JsonProperty
		boolean ok() {
			return this.problems.isEmpty();
		}

	}

	record Unprotected(int charges) {
	}

	record Protected(int charges, List<Outcome.Operation> operations) {
	}

}
