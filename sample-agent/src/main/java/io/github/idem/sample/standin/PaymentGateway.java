package io.github.idem.sample.standin;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.extension.ResponseDefinitionTransformerV2;
import com.github.tomakehurst.wiremock.http.Request;
import com.github.tomakehurst.wiremock.http.RequestMethod;
import com.github.tomakehurst.wiremock.http.ResponseDefinition;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The payment gateway: {@code POST …/charges} charges, {@code GET …/charges/{key}} looks
 * up by idempotency key. Each run has books and a behaviour of its own.
 * <p>
 * A charge is in the books before its answer is delayed. WireMock's journal knows a
 * request only once it is answered, too late for a client that has timed out.
 */
final class PaymentGateway implements ResponseDefinitionTransformerV2, AutoCloseable {

	static final String NAME = "payment-gateway";

	private final Map<String, Account> accounts = new ConcurrentHashMap<>();

	private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor((task) -> {
		Thread thread = new Thread(task, NAME);
		thread.setDaemon(true);
		return thread;
	});

	@Override
	public String getName() {
		return NAME;
	}

	@Override
	public boolean applyGlobally() {
		return false;
	}

	PaymentLedger open(String run, GatewayBehaviour behaviour) {
		PaymentLedger ledger = new PaymentLedger(behaviour.deduplicates());
		this.accounts.put(run, new Account(behaviour, ledger, new AtomicInteger()));
		return ledger;
	}

	@Override
	public ResponseDefinition transform(ServeEvent event) {
		Request request = event.getRequest();
		Account account = this.accounts.get(StandIns.run(event));
		if (account == null) {
			return answer(404, Map.of("error", "no such account"));
		}
		return request.getMethod().equals(RequestMethod.POST) ? charge(account, request) : lookUp(account, request);
	}

	private ResponseDefinition charge(Account account, Request request) {
		Treatment treatment = account.behaviour().treat(account.arrived().getAndIncrement());
		ResponseDefinitionBuilder answer;
		if (treatment.declined()) {
			answer = answering(422, Map.of("error", "card declined"));
		}
		else {
			JsonNode order = JsonMapper.shared().readTree(request.getBodyAsString());
			PaymentLedger.Charge charge = account.ledger()
				.accept(order.path("user").asString(), new BigDecimal(order.path("amount").asString()),
						request.getHeader("Idempotency-Key"));
			apply(account.ledger(), charge, treatment);
			answer = answering(200, Map.of("id", charge.id()));
		}
		return answer.withFixedDelay((int) treatment.answersAfter().toMillis()).build();
	}

	private void apply(PaymentLedger ledger, PaymentLedger.Charge charge, Treatment treatment) {
		if (treatment.appliesAfter().isZero()) {
			ledger.apply(charge);
		}
		else {
			this.later.schedule(() -> ledger.apply(charge), treatment.appliesAfter().toMillis(), TimeUnit.MILLISECONDS);
		}
	}

	private ResponseDefinition lookUp(Account account, Request request) {
		String path = request.getUrl();
		Optional<PaymentLedger.Charge> charge = account.ledger().find(StandIns.lastSegment(path));
		return charge.map((found) -> answer(200, Map.of("id", found.id(), "amount", found.amount().toPlainString())))
			.orElseGet(() -> answer(404, Map.of("error", "no charge with this key")));
	}

	private static ResponseDefinition answer(int status, Map<String, String> body) {
		return answering(status, body).build();
	}

	private static ResponseDefinitionBuilder answering(int status, Map<String, String> body) {
		return ResponseDefinitionBuilder.responseDefinition()
			.withStatus(status)
			.withHeader("Content-Type", "application/json")
			.withBody(JsonMapper.shared().writeValueAsString(body));
	}

	@Override
	public void close() {
		this.later.shutdownNow();
	}

	private record Account(GatewayBehaviour behaviour, PaymentLedger ledger, AtomicInteger arrived) {
	}

}
