package io.github.idem.sample.scenario;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.skyscreamer.jsonassert.JSONAssert;

import static org.assertj.core.api.Assertions.assertThat;

class ReportTest {

	private static final Report.Result GOOD = result("replan", List.of());

	@TempDir
	private Path directory;

	@Test
	void aGoodReportHasTheAgreedMembersAndNoOther() throws Exception {
		JSONAssert.assertEquals("""
				{"ok":true,"scenarios":[{"name":"replan","unprotected":{"charges":2},
				"protected":{"charges":1,"operations":[{"request_id":"t:call_1","status":"SUCCEEDED","attempt":1}]},
				"ok":true}]}""", written(new Report(List.of(GOOD))), true);
	}

	@Test
	void oneBadScenarioMakesTheReportBadAndSaysWhy() throws Exception {
		Report report = new Report(List.of(GOOD, result("two-agents", List.of("with idem, 2 charges instead of 1"))));

		JSONAssert.assertEquals("""
				{"ok":false,"scenarios":[{"name":"replan","ok":true},{"name":"two-agents","ok":false,
				"problems":["with idem, 2 charges instead of 1"]}]}""", written(report), false);
		assertThat(ReportTable.of(report)).contains("NOT OK").contains("two-agents: with idem, 2 charges instead of 1");
	}

	@Test
	void aReportOfNothingIsNotGood() {
		assertThat(new Report(List.of()).ok()).isFalse();
	}

	@Test
	void theTableHasOneLineForEachScenario() {
		assertThat(ReportTable.of(new Report(List.of(GOOD)))).isEqualToNormalizingNewlines("""
				scenario | charges without | charges with | operations (request_id status attempt) | ok
				replan   | 2               | 1            | t:call_1 SUCCEEDED 1                   | ok
				""");
	}

	private static Report.Result result(String name, List<String> problems) {
		return new Report.Result(name, new Report.Unprotected(2),
				new Report.Protected(1, List.of(new Outcome.Operation("t:call_1", "SUCCEEDED", 1))), problems);
	}

	private String written(Report report) throws Exception {
		Path file = this.directory.resolve("made/report.json");
		report.write(file);
		return Files.readString(file);
	}

}
