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

import static org.assertj.core.api.Assertions.assertThat;

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

	/**
	 * Where no hook stands a tool runs as often as it is asked for, and wrapped by hand
	 * once. Nobody tells it the model's id there.
	 */
	@ParameterizedTest(name = "{0} {1}")
	@MethodSource
	void whatIsBeyondReachIsProtectedByWrapping(BeyondReach place, Mode mode) throws Exception {
		Visit asItIs = this.matrix.open(place.asItIs(), mode);
		assertThat(asItIs.till().entered).as("not wrapped").hasSize(2);
		Visit wrapped = this.matrix.open(place.wrapped(), mode);
		assertThat(wrapped.till().entered).as("wrapped").singleElement().satisfies((ids) -> {
			assertThat(ids.taskId()).isEqualTo("t1");
			assertThat(ids.requestId()).asString().startsWith("t1:");
		});
		assertThat(wrapped.till().contexts).isEqualTo(wrapped.till().entered);
		assertThat(Matrix.statuses(wrapped)).containsExactly("SUCCEEDED");
	}

	static Stream<Arguments> whatIsBeyondReachIsProtectedByWrapping() {
		return BeyondReach.all()
			.stream()
			.flatMap((place) -> Stream.of(Mode.values())
				.map((mode) -> Arguments.of(Named.of(place.title(), place), mode)));
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
