package io.github.idem.sample.scenario;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

import io.github.idem.sample.standin.StandIns;

import org.springframework.util.FileSystemUtils;

/**
 * Runs every scenario without and with idem, each run in an application of its own, all
 * on one database.
 */
public final class ScenarioRunner {

	private final Path directory;

	private final List<String> arguments;

	/**
	 * Run below a directory.
	 * @param directory where the report and, by default, the database go
	 * @param arguments command line of the applications, such as
	 * {@code --spring.profiles.active=postgres}
	 */
	public ScenarioRunner(Path directory, String... arguments) {
		this.directory = directory.toAbsolutePath();
		this.arguments = List.of(arguments);
	}

	/**
	 * Run all scenarios and write {@code report.json}.
	 * @param out takes the table
	 * @return whether all ended as expected
	 */
	public boolean run(Consumer<String> out) throws IOException, InterruptedException {
		// The H2 database is fresh for every run. PostgreSQL keeps what it has, so tasks
		// are
		// named anew.
		FileSystemUtils.deleteRecursively(this.directory.resolve("h2"));
		String suffix = "-" + UUID.randomUUID().toString().substring(0, 8);
		List<Report.Result> results = new ArrayList<>();
		try (StandIns standIns = new StandIns()) {
			for (Scenario scenario : Scenarios.all()) {
				results.add(run(scenario, scenario.name() + suffix, standIns));
			}
		}
		Report report = new Report(results);
		report.write(this.directory.resolve("report.json"));
		out.accept(ReportTable.of(report));
		return report.ok();
	}

	private Report.Result run(Scenario scenario, String taskId, StandIns standIns) throws InterruptedException {
		Expectation expected = scenario.expected();
		Outcome without = play(scenario, false, taskId, standIns, expected.chargesWithout());
		Outcome with = play(scenario, true, taskId, standIns, expected.chargesWith());
		List<String> problems = new ArrayList<>();
		expected.problemsWithout(without).forEach((problem) -> problems.add("without idem, " + problem));
		expected.problemsWith(with).forEach((problem) -> problems.add("with idem, " + problem));
		return new Report.Result(scenario.name(), new Report.Unprotected(without.charges().size()),
				new Report.Protected(with.charges().size(), with.operations()), problems);
	}

	private Outcome play(Scenario scenario, boolean idem, String taskId, StandIns standIns, int expectedCharges)
			throws InterruptedException {
		List<String> line = new ArrayList<>(this.arguments);
		line.add("--agent.directory=" + this.directory);
		line.add("--agent.database=scenarios");
		try (Stage stage = new Stage(scenario, idem, taskId, standIns, line.toArray(String[]::new))) {
			stage.play();
			return stage.outcome(expectedCharges);
		}
	}

}
