package io.github.idem.sample.scenario;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class ScenariosTest {

	@TempDir
	private Path directory;

	@Test
	void everyScenarioEndsAsExpectedOnH2() throws Exception {
		runsAsExpected();

		assertThat(this.directory.resolve("h2/scenarios.mv.db")).exists();
	}

	@Test
	void everyScenarioEndsAsExpectedOnPostgreSql() throws Exception {
		try (EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
			runsAsExpected("--spring.profiles.active=postgres",
					"--SAMPLE_POSTGRES_URL=" + postgres.getJdbcUrl("postgres", "postgres"));
		}

		assertThat(this.directory.resolve("h2")).doesNotExist();
	}

	private void runsAsExpected(String... arguments) throws Exception {
		List<String> table = new ArrayList<>();

		boolean ok = new ScenarioRunner(this.directory, arguments).run(table::add);

		assertThat(ok).as(String.join("", table)).isTrue();
		assertThat(Files.readString(this.directory.resolve("report.json"))).contains("\"ok\" : true")
			.doesNotContain("\"ok\" : false");
	}

}
