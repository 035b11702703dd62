package io.github.idem.tool;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.github.idem.tool.ToolCallTest.Mode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Takes each hook out of Spring AI in turn and goes through the whole matrix: the doors
 * that stand open are exactly those that say they are held by it.
 * <ul>
 * <li>Without the advisor outside the loop: tools of loops with a manager of their own
 * run unprotected. A {@code ToolCallingAdvisor} of the user's, alone and with tools that
 * another advisor adds, with an advisor that repeats the request, with chat memory inside
 * it; {@code ChatClient.Builder} beans of the application's, one or two.</li>
 * <li>Without the observer inside it: the same tools run once, but do not know the
 * model's id of their call, so neither does their request id.</li>
 * <li>Without the manager decorator: tools of a loop that the application drives, and
 * those that tool search brings in, run unprotected; those found by resolver fallback do
 * not know the model's id of their call.</li>
 * <li>Without the resolver decorator: tools found by resolver fallback run
 * unprotected.</li>
 * </ul>
 */
class MissingHookTest {

	@ParameterizedTest
	@EnumSource
	void withoutAHookTheDoorsItHoldsStandOpenAndNoOthers(Hook hook) {
		Set<String> open = new TreeSet<>();
		try (Matrix matrix = new Matrix(
				Map.of("spring.datasource.url", "jdbc:h2:mem:" + hook.name(), "idem.store.volatile", "allow"),
				Set.of(hook))) {
			for (Door door : Door.all()) {
				for (Mode mode : door.modes()) {
					if (standsOpen(matrix, door, mode)) {
						open.add(door.title() + " " + mode);
					}
				}
			}
		}
		List<String> held = Door.all()
			.stream()
			.filter((door) -> door.hooks().contains(hook))
			.flatMap((door) -> door.modes().stream().map((mode) -> door.title() + " " + mode))
			.toList();
		assertThat(held).isNotEmpty();
		assertThat(open).containsExactlyInAnyOrderElementsOf(held);
	}

	private static boolean standsOpen(Matrix matrix, Door door, Mode mode) {
		try {
			matrix.check(door, mode);
			return false;
		}
		catch (AssertionError | Exception ex) {
			return true;
		}
	}

}
