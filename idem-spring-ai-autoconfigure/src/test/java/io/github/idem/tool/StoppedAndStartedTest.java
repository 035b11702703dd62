package io.github.idem.tool;

import java.util.Map;

import io.github.idem.IdempotencyException;
import io.github.idem.testing.H2Files;
import org.junit.jupiter.api.Test;

import static io.github.idem.tool.ScriptedChatModel.call;
import static io.github.idem.tool.ScriptedChatModel.calls;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An application that goes on after it was stopped, as test contexts in Spring's cache do
 * and processes that are restored from a checkpoint.
 */
class StoppedAndStartedTest extends ToolCallTest {

	@Override
	Map<String, Object> database() {
		return Map.of("spring.datasource.url", H2Files.newDatabase());
	}

	@Test
	void aContextThatIsStoppedTakesNoCallsAndTakesThemAgainOnceItIsStarted() {
		this.context.stop();
		assertThatExceptionOfType(IdempotencyException.class).isThrownBy(this::coffee)
			.withMessageContaining("shutting down");
		assertThat(this.payments.entered).isEmpty();

		this.context.start();
		coffee();
		assertThat(answer()).isEqualTo("\"coffee #0\"");
	}

	@Test
	void aContextThatIsPausedTakesCallsAgainOnceItIsRestarted() {
		this.context.pause();
		this.context.restart();
		coffee();
		assertThat(answer()).isEqualTo("\"coffee #0\"");
	}

	private void coffee() {
		this.model.rounds(calls(call("call_1", "buyCoffee", "{\"size\":\"small\"}")));
		ask(Mode.CALL, "t1");
	}

}
