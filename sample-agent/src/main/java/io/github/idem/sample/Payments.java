package io.github.idem.sample;

import java.math.BigDecimal;
import java.util.Optional;

import io.github.idem.IdempotentCall;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;

/**
 * The payment gateway, over HTTP. Timeouts are those of {@code spring.http.clients}.
 */
@Component
class Payments {

	private final RestClient gateway;

	Payments(RestClient.Builder builder, @Value("${payments.url}") String url) {
		this.gateway = builder.baseUrl(url).build();
	}

	/**
	 * Take money from a customer. Any exception but {@link Declined} leaves open whether
	 * it was taken.
	 * @throws Declined if the gateway says no; then no money was taken
	 */
	Receipt charge(String user, BigDecimal amount) {
		try {
			Receipt receipt = this.gateway.post()
				.uri("/charges")
				.headers(Payments::identify)
				.body(new Charge(user, amount))
				.retrieve()
				.body(Receipt.class);
			if (receipt == null) {
				throw new IllegalStateException("the gateway answered without a receipt");
			}
			return receipt;
		}
		catch (HttpClientErrorException ex) {
			if (ex.getStatusCode().isSameCodeAs(HttpStatus.UNPROCESSABLE_CONTENT)) {
				throw new Declined(ex);
			}
			throw ex;
		}
	}

	/**
	 * Look up a charge by the id it was sent with.
	 * @return the receipt; empty if the gateway has not made such a charge, or not yet
	 */
	Optional<Receipt> find(String requestId) {
		try {
			return Optional
				.ofNullable(this.gateway.get().uri("/charges/{id}", requestId).retrieve().body(Receipt.class));
		}
		catch (HttpClientErrorException.NotFound ex) {
			return Optional.empty();
		}
	}

	// The same id for every attempt of one operation: by it the gateway can tell a second
	// attempt from a second purchase.
	private static void identify(HttpHeaders headers) {
		IdempotentCall.current().ifPresent((call) -> headers.set("Idempotency-Key", call.requestId()));
	}

	record Charge(String user, BigDecimal amount) {
	}

	record Receipt(String id) {

		String text() {
			return "Charged, receipt " + this.id;
		}

	}

	static final class Declined extends RuntimeException {

		private static final long serialVersionUID = 1L;

		Declined(HttpClientErrorException cause) {
			super("the card was declined", cause);
		}

	}

}
