package io.github.idem.tool;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.github.idem.Idempotent;
import io.github.idem.IdempotentTools;
import io.github.idem.Operation;
import io.github.idem.OperationResolver;
import io.github.idem.Outcome;
import io.github.idem.OutcomeProbe;
import io.github.idem.testing.H2Files;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The background works on what is on record, whatever the application is by now: an
 * operation of an earlier version of it, or of a tool that is no bean.
 */
@ExtendWith(OutputCaptureExtension.class)
class StrangersInTheRecordTest extends ToolCallTest {

	private Shop shop;

	@Override
	Map<String, Object> database() {
		return Map.of("spring.datasource.url", H2Files.newDatabase());
	}

	@Override
	Class<?>[] sources() {
		return new Class<?>[] { Application.class, Beans.class };
	}

	@Override
	void start(Map<String, Object> properties) {
		Map<String, Object> all = new HashMap<>(properties);
		all.put("idem.probe.settle", "1s");
		all.put("idem.recovery.interval", "100ms");
		super.start(all);
	}

	@BeforeEach
	void reset() {
		this.shop = this.context.getBean(Shop.class);
		this.shop.entered.set(0);
	}

	@Test
	void whatWasDeduplicatedWhenItWasRecordedButIsNotNowIsNotSentAgain() {
		call(this.shop, "chargeBlindly", "t1");
		assertThat(this.shop.entered).hasValue(1);
		this.jdbc.sql("""
				UPDATE idem_operation SET status = 'IN_PROGRESS', version = 1, result = NULL, downstream = 'IDEMPOTENT',
					lease_until = CURRENT_TIMESTAMP - INTERVAL '1' SECOND""").update();
		await().until(() -> this.shop.entered.get() > 1 || !waiting().isEmpty());
		assertThat(this.shop.entered).hasValue(1);
	}

	@Test
	void aDoubtOfAPlainObjectThatSeveralProbesAnswerForComesToAPerson() {
		call(new Kiosk(), "sell", "t1");
		await().until(() -> !waiting().isEmpty());
		assertThat(waiting()).extracting(Operation::taskId).containsExactly("t1");
	}

	@Test
	void aProbeForAToolThatNobodyHasIsReportedWithWhatMayHaveBeenMeant(CapturedOutput output) {
		stop();
		start(database());
		assertThat(output).contains("OutcomeProbe bean 'misspelt' answers for tool 'resrve'")
			.contains("the nearest is 'reserve'")
			.doesNotContain("OutcomeProbe bean 'spelt'");
	}

	private List<Operation> waiting() {
		return this.context.getBean(OperationResolver.class).waiting(10);
	}

	private static void call(Object tools, String tool, String task) {
		ToolCallback callback = Stream.of(ToolCallbacks.from(tools))
			.filter((candidate) -> candidate.getToolDefinition().name().equals(tool))
			.findFirst()
			.orElseThrow();
		IdempotentTools.wrap(callback)[0].call("{\"id\":\"o1\"}", new ToolContext(Map.of("task_id", task)));
	}

	static class Shop {

		private final AtomicInteger entered = new AtomicInteger();

		@Idempotent
		@Tool(description = "Charges")
		String chargeBlindly(String id) {
			this.entered.incrementAndGet();
			return "charged";
		}

		@Idempotent
		@Tool(description = "Reserves")
		String reserve(String id) {
			return "reserved";
		}

	}

	/** No bean. */
	static class Kiosk {

		@Idempotent(probe = "one")
		@Tool(description = "Sells")
		String sell(String id) {
			throw new IllegalStateException("lost");
		}

	}

	record Ledger(String tool) implements OutcomeProbe {

		@Override
		public Outcome probe(Operation operation) {
			return new Outcome.NotFound();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Beans {

		@Bean
		Shop shop() {
			return new Shop();
		}

		@Bean
		Ledger one() {
			return new Ledger("sell");
		}

		@Bean
		Ledger other() {
			return new Ledger("sell");
		}

		@Bean
		Ledger misspelt() {
			return new Ledger("resrve");
		}

		@Bean
		Ledger spelt() {
			return new Ledger("reserve");
		}

	}

}
