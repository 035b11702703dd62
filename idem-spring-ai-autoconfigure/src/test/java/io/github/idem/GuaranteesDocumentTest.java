package io.github.idem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code docs/guarantees.md} against the tests that it says hold its rules. */
class GuaranteesDocumentTest {

	private static final Pattern ROW = Pattern.compile("\\| (?!rule \\|).* \\| (`.*`) \\|");

	private static final Pattern TEST = Pattern.compile("`(\\w+)`");

	@Test
	void everyTestThatIsSaidToHoldARuleExists() throws IOException {
		Set<String> tests = tests();
		assertThat(rows()).hasSizeGreaterThanOrEqualTo(10)
			.allSatisfy((row) -> assertThat(named(row)).as(row).isNotEmpty().isSubsetOf(tests));
	}

	private static List<String> named(String row) {
		String cell = row.substring(row.lastIndexOf("| `"));
		return TEST.matcher(cell).results().map((MatchResult result) -> result.group(1)).toList();
	}

	/** The rows of the table of rules, without its head. */
	private static List<String> rows() throws IOException {
		Stream<String> lines = Files.readAllLines(Path.of("..", "docs", "guarantees.md")).stream();
		return lines.dropWhile((line) -> !line.equals("## What holds each rule"))
			.filter((line) -> ROW.matcher(line).matches())
			.toList();
	}

	/** Names of the test classes of all modules. */
	private static Set<String> tests() throws IOException {
		try (Stream<Path> files = Files.find(Path.of(".."), 16,
				(file, attributes) -> attributes.isRegularFile() && file.toString().contains("src/test/java"))) {
			return files.map((file) -> file.getFileName().toString())
				.filter((name) -> name.endsWith("Test.java"))
				.map((name) -> name.substring(0, name.length() - ".java".length()))
				.collect(Collectors.toSet());
		}
	}

}
