package io.github.idem.http;

import java.io.IOException;
import java.net.URI;
import java.util.Map;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import io.github.idem.SentRequest;
import io.github.idem.SentRequest.Fate;
import io.github.idem.operation.Attempts;
import io.github.idem.operation.UnattributedRequests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.support.HttpRequestWrapper;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.WebClient;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application's own interceptors may stand inside ours and send what passes them
 * several times: the first may be applied and the last refused, because the first was
 * applied.
 */
class InnerRetriesTest {

	@RegisterExtension
	private static final WireMockExtension SERVER = WireMockExtension.newInstance().build();

	private final Attempts attempts = new Attempts();

	private final UnattributedRequests unattributed = new UnattributedRequests();

	@Test
	void anInterceptorThatSendsOnceLeavesARefusalCertain() {
		refuse();
		assertThat(throughRestClient((request, body, execution) -> execution.execute(request, body)).fate())
			.isEqualTo(Fate.REFUSED);
		assertThat(throughRestClient(
				(request, body, execution) -> execution.execute(new HttpRequestWrapper(request), body))
			.fate()).isEqualTo(Fate.REFUSED);
	}

	@Test
	void whatAnInterceptorSentTwiceMayHaveBeenAppliedAtFirst() {
		applyThenRefuse();
		assertTwiceAndNotKnown(throughRestClient((request, body, execution) -> twice(request, body, execution)));
	}

	@Test
	void soMayWhatItSentTwiceInWrappings() {
		applyThenRefuse();
		assertTwiceAndNotKnown(throughRestClient(
				(request, body, execution) -> twice(new HttpRequestWrapper(request), body, execution)));
	}

	@Test
	void soMayWhatItSentTwiceAsACopyOfItsOwn() {
		applyThenRefuse();
		assertTwiceAndNotKnown(throughRestClient((request, body, execution) -> twice(
				new Copy(request.getMethod(), request.getURI(), request.getHeaders(), request.getAttributes()), body,
				execution)));
	}

	@Test
	void soMayWhatItSentTwiceAsACopyWithAttributesOfItsOwn() {
		applyThenRefuse();
		assertTwiceAndNotKnown(throughRestClient((request, body, execution) -> twice(new Copy(request.getMethod(),
				request.getURI(), request.getHeaders(), Map.copyOf(request.getAttributes())), body, execution)));
	}

	@Test
	void aRepeatThatFindsNobodyDoesNotUndoWhatWasSentBefore() throws IOException {
		SERVER.stubFor(post(anyUrl()).willReturn(aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER)));
		URI nowhere = URI.create(Downstream.refusing());
		SentRequest sent = throughRestClient((request, body, execution) -> {
			try {
				return execution.execute(request, body);
			}
			catch (IOException ex) {
				return execution.execute(new HttpRequestWrapper(request) {
					@Override
					public URI getURI() {
						return nowhere;
					}
				}, body);
			}
		});
		assertThat(sent.fate()).isEqualTo(Fate.UNKNOWN);
	}

	@Test
	void whatWasAnsweredInTheEndIsAnswered() {
		answers(aResponse().withStatus(503), aResponse().withStatus(200));
		assertThat(throughRestClient((request, body, execution) -> twice(request, body, execution)).fate())
			.isEqualTo(Fate.ANSWERED);
	}

	@Test
	void aFilterThatSendsOnceLeavesARefusalCertain() {
		refuse();
		assertThat(throughWebClient((request, next) -> next.exchange(request)).fate()).isEqualTo(Fate.REFUSED);
		assertThat(throughWebClient((request, next) -> next.exchange(ClientRequest.from(request).build())).fate())
			.isEqualTo(Fate.REFUSED);
	}

	@Test
	void ofARefusedRequestWithAnotherBodyNothingIsKnown() {
		refuse();
		assertThat(throughWebClient((request, next) -> next
			.exchange(ClientRequest.from(request).body(BodyInserters.fromValue("signed")).build())).fate())
			.isEqualTo(Fate.UNKNOWN);
	}

	@ParameterizedTest
	@EnumSource(names = "WEB_CLIENT.*", mode = EnumSource.Mode.MATCH_ALL)
	void whatAFilterSentTwiceMayHaveBeenAppliedAtFirst(HttpClients clients) {
		applyThenRefuse();
		assertTwiceAndNotKnown(
				throughWebClient(clients, (request, next) -> Mono.defer(() -> next.exchange(request)).retry(1)));
	}

	@ParameterizedTest
	@EnumSource(names = "WEB_CLIENT.*", mode = EnumSource.Mode.MATCH_ALL)
	void soMayWhatAFilterSentTwiceAsOneExchange(HttpClients clients) {
		applyThenRefuse();
		WebClient client = clients.webClientBuilder(this.unattributed)
			.filter((request, next) -> next.exchange(request).retry(1))
			.build();
		SentRequest sent = only(
				this.attempts.run(() -> client.post().uri(SERVER.baseUrl()).retrieve().toBodilessEntity().block()));
		SERVER.verify(2, postRequestedFor(anyUrl()));
		assertThat(sent.fate()).isEqualTo(Fate.UNKNOWN);
	}

	@ParameterizedTest
	@EnumSource(names = "WEB_CLIENT.*", mode = EnumSource.Mode.MATCH_ALL)
	void aFilterThatRepeatsWhatFoundNobodyLeavesThatCertain(HttpClients clients) throws IOException {
		URI nowhere = URI.create(Downstream.refusing());
		assertThat(throughWebClient(clients,
				(request, next) -> next.exchange(ClientRequest.from(request).url(nowhere).build()))
			.fate()).isEqualTo(Fate.REFUSED_FOR_NOW);
	}

	@ParameterizedTest
	@EnumSource(names = "WEB_CLIENT.*", mode = EnumSource.Mode.MATCH_ALL)
	void aRepeatByAFilterThatFindsNobodyDoesNotUndoWhatWasSentBefore(HttpClients clients) throws IOException {
		SERVER.stubFor(post(anyUrl()).willReturn(aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER)));
		URI nowhere = URI.create(Downstream.refusing());
		assertThat(throughWebClient(clients,
				(request, next) -> next.exchange(request)
					.onErrorResume((failure) -> next.exchange(ClientRequest.from(request).url(nowhere).build())))
			.fate()).isEqualTo(Fate.UNKNOWN);
		SERVER.verify(1, postRequestedFor(anyUrl()));
	}

	@ParameterizedTest
	@EnumSource(names = "WEB_CLIENT.*", mode = EnumSource.Mode.MATCH_ALL)
	void noMoreDoesOneWithAnotherBody(HttpClients clients) throws IOException {
		SERVER.stubFor(post(anyUrl()).willReturn(aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER)));
		URI nowhere = URI.create(Downstream.refusing());
		assertThat(throughWebClient(clients, (request, next) -> next
			.exchange(ClientRequest.from(request).body(BodyInserters.fromValue("signed")).build())
			.onErrorResume((failure) -> next.exchange(
					ClientRequest.from(request).url(nowhere).body(BodyInserters.fromValue("signed again")).build())))
			.fate()).isEqualTo(Fate.UNKNOWN);
		SERVER.verify(1, postRequestedFor(anyUrl()));
	}

	private SentRequest throughRestClient(ClientHttpRequestInterceptor inner) {
		RestClient client = HttpClients.restClient(this.unattributed).requestInterceptor(inner).build();
		return only(
				this.attempts.run(() -> client.post().uri(SERVER.baseUrl()).body("{}").retrieve().toBodilessEntity()));
	}

	private SentRequest throughWebClient(ExchangeFilterFunction inner) {
		return throughWebClient(HttpClients.WEB_CLIENT_ON_JDK, inner);
	}

	private SentRequest throughWebClient(HttpClients clients, ExchangeFilterFunction inner) {
		WebClient client = clients.webClientBuilder(this.unattributed).filter(inner).build();
		return only(this.attempts
			.run(() -> client.post().uri(SERVER.baseUrl()).bodyValue("{}").retrieve().toBodilessEntity().block()));
	}

	private static ClientHttpResponse twice(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
			throws IOException {
		try {
			ClientHttpResponse response = execution.execute(request, body);
			if (!response.getStatusCode().isError()) {
				return response;
			}
			response.close();
		}
		catch (IOException ex) {
			// Sent again below.
		}
		return execution.execute(request, body);
	}

	private static void refuse() {
		SERVER.stubFor(post(anyUrl()).willReturn(aResponse().withStatus(400)));
	}

	private static void applyThenRefuse() {
		answers(aResponse().withFixedDelay(3_000), aResponse().withStatus(400).withBody("already paid"));
	}

	private static void answers(ResponseDefinitionBuilder first, ResponseDefinitionBuilder second) {
		SERVER.stubFor(post(anyUrl()).inScenario("twice")
			.whenScenarioStateIs(Scenario.STARTED)
			.willSetStateTo("once")
			.willReturn(first));
		SERVER.stubFor(post(anyUrl()).inScenario("twice").whenScenarioStateIs("once").willReturn(second));
	}

	private static void assertTwiceAndNotKnown(SentRequest sent) {
		SERVER.verify(2, postRequestedFor(anyUrl()));
		assertThat(sent.status()).isEqualTo(400);
		assertThat(sent.fate()).isEqualTo(Fate.UNKNOWN);
	}

	private static SentRequest only(Attempts.Seen seen) {
		assertThat(seen.sent()).as("%s", seen.thrown()).hasSize(1);
		return seen.sent().get(0);
	}

	/** A request that an interceptor made of another. */
	private record Copy(HttpMethod method, URI uri, HttpHeaders headers,
			Map<String, Object> attributes) implements HttpRequest {

		@Override
		public HttpMethod getMethod() {
			return this.method;
		}

		@Override
		public URI getURI() {
			return this.uri;
		}

		@Override
		public HttpHeaders getHeaders() {
			return this.headers;
		}

		@Override
		public Map<String, Object> getAttributes() {
			return this.attributes;
		}

	}

}
