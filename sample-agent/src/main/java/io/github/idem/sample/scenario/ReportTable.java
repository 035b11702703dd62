package io.github.idem.sample.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The report as a table for people.
 */
final class ReportTable {

	private ReportTable() {
	}

	static String of(Report report) {
		List<List<String>> rows = new ArrayList<>();
		rows.add(
				List.of("scenario", "charges without", "charges with", "operations (request_id status attempt)", "ok"));
		report.scenarios().forEach((result) -> rows.add(row(result)));
		List<Integer> widths = widths(rows);
		StringBuilder table = new StringBuilder();
		rows.forEach((row) -> table.append(line(row, widths)).append(System.lineSeparator()));
		for (Report.Result result : report.scenarios()) {
			result.problems()
				.forEach((problem) -> table.append(result.name())
					.append(": ")
					.append(problem)
					.append(System.lineSeparator()));
		}
		return table.toString();
	}

	private static List<String> row(Report.Result result) {
		String operations = result.with()
			.operations()
			.stream()
			.map(Outcome.Operation::toString)
			.collect(Collectors.joining(", "));
		return List.of(result.name(), String.valueOf(result.without().charges()),
				String.valueOf(result.with().charges()), operations, result.ok() ? "ok" : "NOT OK");
	}

	private static List<Integer> widths(List<List<String>> rows) {
		List<Integer> widths = new ArrayList<>();
		for (int i = 0; i < rows.get(0).size(); i++) {
			int column = i;
			widths.add(rows.stream().mapToInt((row) -> row.get(column).length()).max().orElse(0));
		}
		return widths;
	}

	private static String line(List<String> row, List<Integer> widths) {
		List<String> cells = new ArrayList<>();
		for (int i = 0; i < row.size(); i++) {
			cells.add(row.get(i) + " ".repeat(widths.get(i) - row.get(i).length()));
		}
		return String.join(" | ", cells).stripTrailing();
	}

}
