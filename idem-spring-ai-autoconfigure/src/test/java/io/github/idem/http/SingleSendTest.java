package io.github.idem.http;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import io.github.idem.SentRequest;
import io.github.idem.SentRequest.Fate;
import io.github.idem.operation.Attempts;
import io.github.idem.operation.UnattributedRequests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.HttpRedirects;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.reactive.ClientHttpConnector;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.okForContentType;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

/** Clients as Boot builds them, which follow redirects and may repeat requests unseen. */
class SingleSendTest {

	@RegisterExtension
	private static final WireMockExtension SERVER = WireMockExtension.newInstance().build();

	private final Attempts attempts = new Attempts();

	@ParameterizedTest
	@EnumSource
	void whatWasChargedAndRedirectedToNobodyWasNotRefused(Client client) throws IOException {
		redirect(303, Downstream.refusing());
		Attempts.Seen seen = this.attempts.run(() -> client.charge(HttpClientSettings.defaults()));
		assertThat(seen.thrown()).isNotNull();
		assertInDoubt(seen);
		SERVER.verify(1, postRequestedFor(anyUrl()));
	}

	@ParameterizedTest
	@EnumSource
	void whatWasChargedAndRedirectedToWhatIsMissingWasNotRefused(Client client) {
		redirect(303, "/receipts/1");
		SERVER.stubFor(get("/receipts/1").willReturn(aResponse().withStatus(404)));
		Attempts.Seen seen = this.attempts.run(() -> client.charge(HttpClientSettings.defaults()));
		assertInDoubt(seen);
		SERVER.verify(1, postRequestedFor(anyUrl()));
		SERVER.verify(1, getRequestedFor(urlEqualTo("/receipts/1")));
	}

	@ParameterizedTest
	@EnumSource
	void aRedirectIsFollowedAsWithoutUs(Client client) throws Throwable {
		for (int status : List.of(301, 302, 303)) {
			SERVER.resetAll();
			redirect(status, "/receipts/1");
			SERVER.stubFor(any(urlEqualTo("/receipts/1")).willReturn(okForContentType("text/plain", "receipt")));
			String[] answer = new String[1];
			Attempts.Seen seen = this.attempts.run(() -> answer[0] = client.charge(HttpClientSettings.defaults()));
			assertThat(answer).containsExactly("receipt");
			assertThat(seen.thrown()).isNull();
			assertThat(seen.sent()).extracting(SentRequest::fate).first().isEqualTo(Fate.ANSWERED);
			LoggedRequest inside = received("/receipts/1");
			SERVER.resetRequests();
			assertThat(client.charge(HttpClientSettings.defaults())).isEqualTo("receipt");
			LoggedRequest outside = received("/receipts/1");
			assertThat(inside.getMethod()).isEqualTo(outside.getMethod());
			if (status == 303) {
				// Reactor's own carries the body of the POST.
				assertThat(inside.getMethod()).hasToString("GET");
			}
			else {
				assertThat(inside.getBodyAsString()).isEqualTo(outside.getBodyAsString());
			}
			assertThat(inside.getHeader("X-Tenant")).isEqualTo("acme");
		}
	}

	@ParameterizedTest
	@EnumSource
	void aRedirectThatKeepsTheMethodIsASecondRequest(Client client) {
		redirect(307, "/elsewhere");
		SERVER.stubFor(post("/elsewhere").willReturn(okForContentType("text/plain", "charged")));
		String[] answer = new String[1];
		Attempts.Seen seen = this.attempts.run(() -> answer[0] = client.charge(HttpClientSettings.defaults()));
		assertThat(seen.thrown()).isNull();
		assertThat(answer).containsExactly("charged");
		SERVER.verify(1, postRequestedFor(urlEqualTo("/elsewhere")).withRequestBody(equalTo("{}"))
			.withHeader("Content-Type", equalTo("application/json")));
		SERVER.stubFor(post("/elsewhere").willReturn(aResponse().withStatus(422)));
		assertInDoubt(this.attempts.run(() -> client.charge(HttpClientSettings.defaults())));
	}

	@ParameterizedTest
	@EnumSource
	void credentialsAreNotGivenToAnotherHost(Client client) {
		redirect(303, "http://127.0.0.1:" + SERVER.getPort() + "/receipts/1");
		SERVER.stubFor(get("/receipts/1").willReturn(okForContentType("text/plain", "receipt")));
		this.attempts.run(() -> client.charge(HttpClientSettings.defaults()));
		assertThat(received("/receipts/1").containsHeader("Authorization")).isFalse();
		assertThat(received("/charges").getHeader("Authorization")).isEqualTo("Bearer secret");
	}

	@ParameterizedTest
	@EnumSource
	void whereRedirectsAreNotFollowedTheyAreNot(Client client) {
		redirect(303, "/receipts/1");
		HttpClientSettings settings = HttpClientSettings.defaults().withRedirects(HttpRedirects.DONT_FOLLOW);
		Attempts.Seen seen = this.attempts.run(() -> client.charge(settings));
		assertThat(seen.sent()).singleElement()
			.extracting(SentRequest::fate, SentRequest::status)
			.containsExactly(Fate.ANSWERED, 303);
		SERVER.verify(1, anyRequestedFor(anyUrl()));
	}

	@ParameterizedTest
	@EnumSource
	void aRefusalIsStillARefusal(Client client) {
		SERVER.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(422)));
		Attempts.Seen seen = this.attempts.run(() -> client.charge(HttpClientSettings.defaults()));
		assertThat(seen.sent()).extracting(SentRequest::fate).containsExactly(Fate.REFUSED);
		assertThat(new HttpFailureClassifier().classify(seen.failed())).isPresent();
	}

	/** Apache's client repeats what was answered with 429 or 503. */
	@ParameterizedTest
	@EnumSource
	void nothingIsRepeatedUnseen(Client client) {
		answer(aResponse().withStatus(503), Scenario.STARTED, "again");
		answer(aResponse().withStatus(422), "again", "again");
		Attempts.Seen seen = this.attempts.run(() -> client.charge(HttpClientSettings.defaults()));
		assertThat(seen.sent()).singleElement()
			.extracting(SentRequest::fate, SentRequest::status)
			.containsExactly(Fate.UNKNOWN, 503);
		SERVER.verify(1, anyRequestedFor(anyUrl()));
	}

	@Test
	void buildersThatAreNotBootsAreLeftAlone() {
		ClientHttpRequestFactoryBuilder<?> simple = ClientHttpRequestFactoryBuilder.simple();
		assertThat(SingleSend.factories(simple)).isSameAs(simple);
		ClientHttpConnectorBuilder<?> counted = ClientHttpConnectorBuilder.reactor();
		assertThat(SingleSend.connectors(counted)).isSameAs(counted);
	}

	private static LoggedRequest received(String path) {
		return SERVER.findAll(anyRequestedFor(urlEqualTo(path))).get(0);
	}

	private static void redirect(int status, String location) {
		SERVER.stubFor(post("/charges").willReturn(aResponse().withStatus(status).withHeader("Location", location)));
	}

	private static void answer(ResponseDefinitionBuilder response, String state, String next) {
		SERVER.stubFor(any(anyUrl()).inScenario("repeats")
			.whenScenarioStateIs(state)
			.willReturn(response)
			.willSetStateTo(next));
	}

	private static void assertInDoubt(Attempts.Seen seen) {
		assertThat(seen.sent()).filteredOn(SentRequest::unsafe)
			.isNotEmpty()
			.extracting(SentRequest::fate)
			.doesNotContain(Fate.REFUSED, Fate.REFUSED_FOR_NOW);
		assertThat(new HttpFailureClassifier().classify(seen.failed())).isEmpty();
	}

	enum Client {

		REST_ON_JDK(ClientHttpRequestFactoryBuilder::jdk, null),

		REST_ON_REACTOR(ClientHttpRequestFactoryBuilder::reactor, null),

		REST_ON_APACHE(ClientHttpRequestFactoryBuilder::httpComponents, null),

		WEB_ON_JDK(null, ClientHttpConnectorBuilder::jdk),

		WEB_ON_REACTOR(null, ClientHttpConnectorBuilder::reactor),

		WEB_ON_APACHE(null, ClientHttpConnectorBuilder::httpComponents);

		private final Supplier<ClientHttpRequestFactoryBuilder<?>> factories;

		private final Supplier<ClientHttpConnectorBuilder<?>> connectors;

		Client(Supplier<ClientHttpRequestFactoryBuilder<?>> factories,
				Supplier<ClientHttpConnectorBuilder<?>> connectors) {
			this.factories = factories;
			this.connectors = connectors;
		}

		String charge(HttpClientSettings settings) {
			return (this.factories != null) ? rest(SingleSend.factories(this.factories.get()).build(settings))
					: web(SingleSend.connectors(this.connectors.get()).build(settings));
		}

		private static String rest(ClientHttpRequestFactory factory) {
			return HttpClients.restClient(new UnattributedRequests())
				.requestFactory(factory)
				.build()
				.post()
				.uri(SERVER.url("/charges"))
				.header("X-Tenant", "acme")
				.header("Authorization", "Bearer secret")
				.header("Content-Type", "application/json")
				.body("{}")
				.retrieve()
				.body(String.class);
		}

		private static String web(ClientHttpConnector connector) {
			return HttpClients.webClient(new UnattributedRequests())
				.clientConnector(connector)
				.build()
				.post()
				.uri(SERVER.url("/charges"))
				.header("X-Tenant", "acme")
				.header("Authorization", "Bearer secret")
				.header("Content-Type", "application/json")
				.bodyValue("{}")
				.retrieve()
				.bodyToMono(String.class)
				.block();
		}

	}

}
