package io.github.idem.sample.standin;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.http.ResponseEntity;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

class PaymentGatewayTest {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final StandIns standIns = new StandIns();

	private final RestClient http = RestClient.builder().defaultStatusHandler((status) -> true, (request, response) -> {
	}).build();

	@AfterEach
	void close() {
		this.standIns.close();
	}

	@Test
	void aChargeIsInTheBooksAndCanBeLookedUp() {
		PaymentLedger ledger = open(GatewayBehaviour.always(Treatment.PROMPT));

		assertThat(charge("task:call_1").getBody()).contains("ch_1");

		assertThat(ledger.charges())
			.containsExactly(new PaymentLedger.Charge("ch_1", "u1", new BigDecimal("29.9"), "task:call_1"));
		assertThat(lookUp("task:call_1").getBody()).contains("ch_1").contains("29.9");
		assertThat(lookUp("task:call_2").getStatusCode().value()).isEqualTo(404);
	}

	@Test
	void aChargeIsInTheBooksBeforeItsAnswerIsSent() throws Exception {
		PaymentLedger ledger = open(GatewayBehaviour.always(Treatment.PROMPT.answersAfter(Duration.ofSeconds(2))));

		CompletableFuture<ResponseEntity<String>> answer = CompletableFuture.supplyAsync(() -> charge("a"),
				(task) -> new Thread(task).start());

		assertThat(ledger.await(1, PATIENCE)).hasSize(1);
		assertThat(answer).isNotDone();
		assertThat(answer.get().getStatusCode().value()).isEqualTo(200);
	}

	@Test
	void aLateChargeCannotBeLookedUpBeforeItIsMade() throws Exception {
		PaymentLedger ledger = open(GatewayBehaviour.always(Treatment.PROMPT.appliesAfter(Duration.ofSeconds(1))));

		charge("a");
		assertThat(ledger.charges()).isEmpty();
		assertThat(lookUp("a").getStatusCode().value()).isEqualTo(404);

		// Nobody is expected, but what was accepted is waited for.
		assertThat(ledger.await(0, PATIENCE)).hasSize(1);
		assertThat(lookUp("a").getStatusCode().value()).isEqualTo(200);
	}

	@Test
	void aDeclinedChargeIsNotMade() throws Exception {
		PaymentLedger ledger = open(GatewayBehaviour.always(Treatment.PROMPT).first(Treatment.DECLINED));

		assertThat(charge("a").getStatusCode().value()).isEqualTo(422);
		assertThat(ledger.await(0, PATIENCE)).isEmpty();
		assertThat(lookUp("a").getStatusCode().value()).isEqualTo(404);

		assertThat(charge("a").getStatusCode().value()).isEqualTo(200);
		assertThat(ledger.charges()).hasSize(1);
	}

	@Test
	void aGatewayThatDoesNotDeduplicateChargesTwiceForOneKey() {
		PaymentLedger ledger = open(GatewayBehaviour.always(Treatment.PROMPT));

		charge("a");
		charge("a");

		assertThat(ledger.charges()).extracting(PaymentLedger.Charge::id).containsExactly("ch_1", "ch_2");
	}

	@Test
	void aGatewayThatDeduplicatesChargesOnceForOneKey() {
		PaymentLedger ledger = open(GatewayBehaviour.always(Treatment.PROMPT).deduplicating());

		assertThat(charge("a").getBody()).isEqualTo(charge("a").getBody());
		charge("b");
		charge(null);
		charge(null);

		assertThat(ledger.charges()).extracting(PaymentLedger.Charge::idempotencyKey)
			.containsExactly("a", "b", null, null);
	}

	@Test
	void aGatewayThatDeduplicatesChargesOnceAlsoIfTheFirstRequestIsAppliedLast() throws Exception {
		PaymentLedger ledger = open(GatewayBehaviour.always(Treatment.PROMPT)
			.first(Treatment.PROMPT.appliesAfter(Duration.ofMillis(500)))
			.deduplicating());

		charge("a");
		charge("a");
		PaymentLedger.Charge other = new PaymentLedger.Charge("ch_2", "u1", new BigDecimal("29.9"), "b");
		charge("b");

		assertThat(ledger.await(2, PATIENCE)).hasSize(2).contains(other);
	}

	@Test
	void aKeyThatWasForgottenIsNew() {
		PaymentLedger ledger = open(GatewayBehaviour.always(Treatment.PROMPT).deduplicating());
		charge("a");

		ledger.forgetKeys();

		assertThat(lookUp("a").getStatusCode().value()).isEqualTo(404);
		charge("a");
		assertThat(ledger.charges()).hasSize(2);
	}

	@Test
	void runsDoNotShareBooks() {
		PaymentLedger other = this.standIns.openAccount("other", GatewayBehaviour.always(Treatment.PROMPT));
		PaymentLedger ledger = open(GatewayBehaviour.always(Treatment.PROMPT));

		charge("a");

		assertThat(ledger.charges()).hasSize(1);
		assertThat(other.charges()).isEmpty();
		assertThat(other.find("a")).isEmpty();
	}

	private PaymentLedger open(GatewayBehaviour behaviour) {
		return this.standIns.openAccount("test", behaviour);
	}

	private ResponseEntity<String> charge(String key) {
		return this.http.post().uri(this.standIns.paymentsUrl("test") + "/charges").headers((headers) -> {
			if (key != null) {
				headers.set("Idempotency-Key", key);
			}
		}).body(Map.of("user", "u1", "amount", 29.9)).retrieve().toEntity(String.class);
	}

	private ResponseEntity<String> lookUp(String key) {
		return this.http.get()
			.uri(this.standIns.paymentsUrl("test") + "/charges/{key}", key)
			.retrieve()
			.toEntity(String.class);
	}

}
