package io.github.idem.sample;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.idem.EffectNotAppliedException;
import io.github.idem.sample.standin.Answer;
import io.github.idem.sample.standin.GatewayBehaviour;
import io.github.idem.sample.standin.ModelScript;
import io.github.idem.sample.standin.PaymentLedger;
import io.github.idem.sample.standin.StandIns;
import io.github.idem.sample.standin.Treatment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.client.ResourceAccessException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CoffeeToolsTest {

	private static final BigDecimal PRICE = new BigDecimal("29.90");

	@TempDir
	private Path directory;

	@Test
	void aChargePaysForTheOpenOrder() {
		try (StandIns standIns = new StandIns()) {
			PaymentLedger ledger = standIns.openAccount("test", GatewayBehaviour.always(Treatment.PROMPT));
			try (ConfigurableApplicationContext application = start(standIns)) {
				CoffeeTools tools = application.getBean(CoffeeTools.class);

				assertThat(tools.placeOrder("u1", Coffee.BEANS, 1)).isEqualTo("Order 1: 1 x BEANS, 29.90 to pay");
				assertThat(tools.charge("u1", PRICE)).isEqualTo("Charged, receipt ch_1");

				assertThat(application.getBean(Orders.class).status(1)).isEqualTo(OrderStatus.FULFILLED);
				assertThat(ledger.charges()).hasSize(1);
			}
		}
	}

	@Test
	void aDeclinedChargeSaysThatNothingHappenedAndLeavesTheOrderToBePaidAgain() {
		try (StandIns standIns = new StandIns()) {
			PaymentLedger ledger = standIns.openAccount("test",
					GatewayBehaviour.always(Treatment.PROMPT).first(Treatment.DECLINED));
			try (ConfigurableApplicationContext application = start(standIns)) {
				CoffeeTools tools = application.getBean(CoffeeTools.class);
				Orders orders = application.getBean(Orders.class);
				tools.placeOrder("u1", Coffee.BEANS, 1);

				assertThatExceptionOfType(EffectNotAppliedException.class).isThrownBy(() -> tools.charge("u1", PRICE));
				assertThat(orders.status(1)).isEqualTo(OrderStatus.PAYMENT_FAILED);
				assertThat(ledger.charges()).isEmpty();

				tools.charge("u1", PRICE);
				assertThat(orders.status(1)).isEqualTo(OrderStatus.FULFILLED);
				assertThat(ledger.charges()).hasSize(1);
			}
		}
	}

	@Test
	void aChargeWhoseAnswerIsLostLeavesTheOrderInPayment() throws InterruptedException {
		try (StandIns standIns = new StandIns()) {
			PaymentLedger ledger = standIns.openAccount("test",
					GatewayBehaviour.always(Treatment.PROMPT.answersAfter(Duration.ofSeconds(2))));
			try (ConfigurableApplicationContext application = start(standIns,
					"--spring.http.clients.read-timeout=200ms")) {
				CoffeeTools tools = application.getBean(CoffeeTools.class);
				tools.placeOrder("u1", Coffee.BEANS, 1);

				assertThatExceptionOfType(ResourceAccessException.class).isThrownBy(() -> tools.charge("u1", PRICE));

				assertThat(application.getBean(Orders.class).status(1)).isEqualTo(OrderStatus.PAYING);
				assertThat(ledger.await(1, Duration.ofSeconds(10))).hasSize(1);
			}
		}
	}

	@Test
	void aPromptIsGivenToTheConfiguredModelAndBuysOnceForOneTask() {
		try (StandIns standIns = new StandIns()) {
			standIns.script("test",
					ModelScript.of(Answer.calls(
							Answer.call("call_1", "placeOrder",
									"{\"user\":\"u1\",\"coffee\":\"LATTE\",\"quantity\":2}"),
							Answer.call("call_2", "charge", "{\"user\":\"u1\",\"amount\":7.80}"),
							Answer.call("call_3", "issueCoupon", "{\"user\":\"u1\",\"percent\":10}"),
							Answer.call("call_4", "menu", "{}")), Answer.says("Enjoy your coffee.")));
			List<String> out = new ArrayList<>();
			String[] line = { "--agent.directory=" + this.directory,
					"--spring.ai.openai.base-url=" + standIns.modelUrl("test") };

			assertThat(SampleAgent.ask("Two lattes, please.", out::add, line)).isTrue();

			assertThat(standIns.toolResults("test")).containsExactly("\"Order 1: 2 x LATTE, 7.80 to pay\"",
					"\"Charged, receipt ch_1\"", "\"Coupon of 10 % for u1\"",
					"\"ESPRESSO 2.40, LATTE 3.90, BEANS 29.90\"");
			assertThat(out).hasSize(2).first().isEqualTo("Enjoy your coffee.");
			assertThat(out.get(1)).contains("ch_1").contains("7.8").contains("interactive:call_2");

			// The gateway's books are new; what was bought is in the database.
			assertThat(SampleAgent.ask("Two lattes, please.", out::add, line)).isTrue();
			assertThat(out).hasSize(4).endsWith("Enjoy your coffee.", "Charges made: []");
		}
	}

	@Test
	void aModelThatDoesNotAnswerIsOneClearSentenceAndAFailure() {
		List<String> out = new ArrayList<>();
		try (StandIns standIns = new StandIns()) {

			boolean ok = SampleAgent.ask("Two lattes, please.", out::add, "--idem.enabled=false",
					"--agent.directory=" + this.directory, "--spring.ai.openai.base-url=" + standIns.modelUrl("none"));

			assertThat(ok).isFalse();
		}
		assertThat(out).hasSize(2).first().asString().startsWith("The agent failed").contains("404");
		assertThat(out.get(1)).contains("OPENAI_API_KEY");
	}

	private ConfigurableApplicationContext start(StandIns standIns, String... more) {
		List<String> line = new ArrayList<>(List.of("--idem.enabled=false", "--agent.directory=" + this.directory,
				"--payments.url=" + standIns.paymentsUrl("test"),
				"--spring.ai.openai.base-url=" + standIns.modelUrl("test")));
		line.addAll(List.of(more));
		return new SpringApplicationBuilder(SampleAgent.class).run(line.toArray(String[]::new));
	}

}
