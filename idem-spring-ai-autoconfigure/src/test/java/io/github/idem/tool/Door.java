package io.github.idem.tool;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.github.idem.tool.ToolCallTest.Mode;

/**
 * A way in which a tool comes to run.
 *
 * @param title what {@code docs/coverage.md} calls it
 * @param modes whether it leads through {@code call}, {@code stream} or both
 * @param hooks those without which it stands open
 * @param opening goes through it: makes the model ask for {@code call_1} and then, as in
 * a re-plan, for {@code call_2}
 */
record Door(String title, Set<Mode> modes, Set<Hook> hooks, Opening opening) {

	static Door of(String title, Opening opening) {
		return new Door(title, Set.of(Mode.values()), Set.of(), opening);
	}

	static List<Door> all() {
		return Stream.of(RequestDoors.all(), ToolDoors.all(), ApplicationDoors.all()).flatMap(List::stream).toList();
	}

	Door only(Mode mode) {
		return new Door(this.title, Set.of(mode), this.hooks, this.opening);
	}

	Door heldBy(Hook... hooks) {
		return new Door(this.title, this.modes, Set.of(hooks), this.opening);
	}

	@FunctionalInterface
	interface Opening {

		void open(Visit visit) throws Exception;

	}

}
