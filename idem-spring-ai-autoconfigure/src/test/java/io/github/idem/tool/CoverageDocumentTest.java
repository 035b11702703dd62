package io.github.idem.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code docs/coverage.md} against the matrix that it describes. */
class CoverageDocumentTest {

	private static final Pattern ROW = Pattern.compile("\\| .* \\| .* \\|");

	@Test
	void theDocumentListsTheDoorsOfTheMatrixAndWhatHoldsThem() throws IOException {
		assertThat(rows("What is covered"))
			.containsExactlyElementsOf(Door.all().stream().map((door) -> row(door.title(), holds(door))).toList());
	}

	@Test
	void theDocumentListsWhatIsBeyondReachWithTheLineThatFixesIt() throws IOException {
		assertThat(rows("What is beyond reach"))
			.zipSatisfy(BeyondReach.all(),
					(row, place) -> assertThat(row).startsWith("| " + place.title() + " |")
						.contains("IdempotentTools.wrap("))
			.hasSameSizeAs(BeyondReach.all());
	}

	private static String holds(Door door) {
		return door.hooks().isEmpty() ? "any of several"
				: door.hooks().stream().sorted().map(Hook::toString).collect(Collectors.joining(", "));
	}

	private static String row(String first, String second) {
		return "| " + first + " | " + second + " |";
	}

	/** The rows of the table in a section, without its head. */
	private static List<String> rows(String section) throws IOException {
		Stream<String> lines = Files.readAllLines(Path.of("..", "docs", "coverage.md")).stream();
		return lines.dropWhile((line) -> !line.equals("## " + section))
			.skip(1)
			.takeWhile((line) -> !line.startsWith("## "))
			.filter((line) -> ROW.matcher(line).matches())
			.skip(1)
			.toList();
	}

}
