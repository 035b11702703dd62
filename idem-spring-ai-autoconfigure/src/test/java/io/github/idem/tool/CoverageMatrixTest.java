package io.github.idem.tool;

import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.github.idem.tool.ToolCallTest.Mode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every way a tool can run, one row each: the model asks for it twice, the tool is
 * entered once and finds the right request id, task id and tool call id.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CoverageMatrixTest {

	private Matrix matrix;

	/** Properties of a database that no other test uses. */
	abstract Map<String, Object> database();

	@BeforeAll
	void start() {
		this.matrix = new Matrix(database(), Set.of());
	}

	@AfterAll
	void stop() {
		this.matrix.close();
	}

	@ParameterizedTest(name = "{0} {1}")
	@MethodSource
	void theToolIsEnteredOnceAndKnowsItsCall(Door door, Mode mode) throws Exception {
		this.matrix.check(door, mode);
	}

	static Stream<Arguments> theToolIsEnteredOnceAndKnowsItsCall() {
		return Door.all()
			.stream()
			.flatMap((door) -> door.modes()
				.stream()
				.sorted()
				.map((mode) -> Arguments.of(Named.of(door.title(), door), mode)));
	}

}
