package io.github.idem.tool;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

import io.github.idem.Downstream;
import io.github.idem.Duplicates;
import io.github.idem.EffectBoundary;
import io.github.idem.Idempotent;
import io.github.idem.IdempotentCall;
import io.github.idem.Operation;
import io.github.idem.Outcome;
import io.github.idem.OutcomeProbe;

import org.springframework.ai.tool.annotation.Tool;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;

/** Tools that charge over HTTP, one for each thing a downstream can do for us. */
class Cashier {

	final RestClient client;

	final List<String> entered = new CopyOnWriteArrayList<>();

	volatile Supplier<String> script = () -> "nothing";

	Cashier(RestClient client) {
		this.client = client;
	}

	void forget() {
		this.entered.clear();
	}

	@Idempotent
	@Tool(description = "Charges; nobody can be asked")
	String opaque(String order) {
		return post();
	}

	@Idempotent
	@Tool(description = "Charges; there is a probe")
	String queryable(String order) {
		return post();
	}

	@Idempotent(key = "#taskId", probe = "ledgerProbe")
	@Tool(description = "Charges once a task; there is a probe")
	String oncePerTask(String order) {
		return post();
	}

	@Idempotent(downstream = Downstream.IDEMPOTENT)
	@Tool(description = "Charges; the gateway deduplicates")
	String deduplicated(String order) {
		return post();
	}

	@Idempotent(duplicates = Duplicates.ALLOW)
	@Tool(description = "Buys; a repeat is meant")
	String repeatable(String order) {
		return post();
	}

	@Idempotent(effect = EffectBoundary.HTTP)
	@Tool(description = "Charges over HTTP only")
	String overHttp(String order) {
		enter();
		return this.script.get();
	}

	@Idempotent(effect = EffectBoundary.MARKED)
	@Tool(description = "Says when it begins")
	String marked(String order) {
		enter();
		return this.script.get();
	}

	@Idempotent
	@Tool(description = "Does as it is told")
	String scripted(String order) {
		enter();
		return this.script.get();
	}

	void enter() {
		IdempotentCall call = IdempotentCall.current().orElseThrow();
		this.entered.add(call.requestId() + "#" + call.attempt());
	}

	String post() {
		enter();
		return send();
	}

	/** Send the charge of the current call. */
	String send() {
		return String.valueOf(this.client.post()
			.uri("/charges")
			.header("Idempotency-Key", IdempotentCall.current().orElseThrow().requestId())
			.body("{}")
			.retrieve()
			.body(String.class));
	}

	String receipt() {
		return String.valueOf(this.client.get().uri("/receipts/1").retrieve().body(String.class));
	}

	/** Asks the gateway's ledger, honestly. */
	record LedgerProbe(String tool, RestClient client, List<String> asked) implements OutcomeProbe {

		@Override
		public Outcome probe(Operation operation) {
			this.asked.add(operation.requestId());
			try {
				return new Outcome.Applied(
						this.client.get().uri("/charges/" + operation.requestId()).retrieve().body(String.class));
			}
			catch (HttpClientErrorException ex) {
				return (ex.getStatusCode() == HttpStatus.GONE) ? new Outcome.NotApplied("cancelled at the gateway")
						: new Outcome.NotFound();
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Beans {

		@Bean
		TestGateway gateway() {
			return new TestGateway();
		}

		@Bean
		RestClient gatewayClient(RestClient.Builder builder, TestGateway gateway) {
			JdkClientHttpRequestFactory factory = new JdkClientHttpRequestFactory(
					HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
			factory.setReadTimeout(Duration.ofMillis(300));
			return builder.baseUrl(gateway.url()).requestFactory(factory).build();
		}

		@Bean
		Cashier cashier(RestClient gatewayClient) {
			return new Cashier(gatewayClient);
		}

		@Bean
		LedgerProbe ledgerProbe(RestClient gatewayClient) {
			return new LedgerProbe("queryable", gatewayClient, new CopyOnWriteArrayList<>());
		}

	}

}
