package io.github.idem.tool;

import java.util.Arrays;
import java.util.Map;

import io.github.idem.IdempotencyException;
import io.github.idem.IdempotentTools;
import io.github.idem.testing.H2Files;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;

import static io.github.idem.tool.ScriptedChatModel.call;
import static io.github.idem.tool.ScriptedChatModel.calls;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Several applications in one JVM, as a server or a test context cache has them: a tool
 * that was wrapped by hand keeps to one record.
 */
class SeveralApplicationsTest extends ToolCallTest {

	private static final String ARGUMENTS = "{\"user\":\"u1\",\"amount\":1}";

	private final Other first = new Other();

	private final Other second = new Other();

	@Override
	Map<String, Object> database() {
		return Map.of("spring.datasource.url", H2Files.newDatabase());
	}

	@AfterEach
	void closeOthers() {
		this.first.close();
		this.second.close();
	}

	@Test
	void aWrappedToolKeepsItsRecordWhenAnotherApplicationStarts() {
		ToolCallback pay = pay();
		String said = pay(pay);
		this.first.start();
		assertThat(pay(pay)).isEqualTo(said);
		assertThat(this.payments.entered).hasSize(1);
		assertThat(this.first.rows()).isZero();
	}

	@Test
	void theFirstCallGoesToTheApplicationThatStartedLast() {
		this.first.start();
		pay(pay());
		assertThat(rows()).isZero();
		assertThat(this.first.rows()).isOne();
	}

	@Test
	void theFirstCallByTheClientOfAnApplicationGoesToThatOne() {
		ToolCallback pay = pay();
		this.first.start();
		this.model.rounds(calls(call("call_1", "pay", ARGUMENTS)));
		ask(Mode.CALL, pay, (request) -> request.toolContext(Map.of("task_id", "t1")));
		assertThat(rows()).isOne();
		pay(pay);
		assertThat(this.first.rows()).isZero();
		assertThat(this.payments.entered).hasSize(1);
	}

	@Test
	void anApplicationThatIsTheOnlyOneLeftTakesOverFromOneThatWasClosed() {
		this.first.start();
		ToolCallback pay = pay();
		pay(pay);
		this.first.close();
		pay(pay);
		assertThat(rows()).isOne();
		this.second.start();
		pay(pay);
		assertThat(this.second.rows()).isZero();
	}

	@Test
	void ifItsApplicationWasClosedAndSeveralRunAWrappedToolIsNotEntered() {
		this.first.start();
		ToolCallback pay = pay();
		pay(pay);
		this.first.close();
		this.second.start();
		this.payments.forget();
		assertThatExceptionOfType(IdempotencyException.class).isThrownBy(() -> pay(pay))
			.withMessageContaining("'pay'")
			.withMessageContaining("IdempotentTools.wrap");
		assertThat(this.payments.entered).isEmpty();
		assertThat(rows()).isZero();
		assertThat(this.second.rows()).isZero();
	}

	private ToolCallback pay() {
		return Arrays.stream(IdempotentTools.wrap(ToolCallbacks.from(this.payments)))
			.filter((tool) -> tool.getToolDefinition().name().equals("pay"))
			.findFirst()
			.orElseThrow();
	}

	private static String pay(ToolCallback tool) {
		return tool.call(ARGUMENTS, new ToolContext(Map.of("task_id", "t1")));
	}

	private static final class Other extends ToolCallTest {

		@Override
		Map<String, Object> database() {
			return Map.of("spring.datasource.url", H2Files.newDatabase());
		}

		void close() {
			if (this.context != null) {
				stop();
			}
		}

	}

}
