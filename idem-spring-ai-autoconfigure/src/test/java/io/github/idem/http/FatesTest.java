package io.github.idem.http;

import java.io.IOException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import io.github.idem.SentRequest;
import io.github.idem.SentRequest.Fate;
import io.github.idem.operation.Attempts;
import io.github.idem.operation.UnattributedRequests;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.http.HttpMethod;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** What is known of a request by the way it ended, whichever client sent it. */
class FatesTest {

	@RegisterExtension
	private static final WireMockExtension SERVER = WireMockExtension.newInstance().build();

	private final Attempts attempts = new Attempts();

	private final UnattributedRequests unattributed = new UnattributedRequests();

	@ParameterizedTest
	@EnumSource
	void aStatusTellsWhetherTheRequestWasCarriedOut(HttpClients clients) {
		Map<Integer, Fate> expected = new TreeMap<>();
		List.of(200, 201, 204, 302, 304).forEach((status) -> expected.put(status, Fate.ANSWERED));
		List.of(400, 401, 403, 404, 405, 410, 422).forEach((status) -> expected.put(status, Fate.REFUSED));
		List.of(408, 409, 425, 460, 499, 500, 502, 503, 504).forEach((status) -> expected.put(status, Fate.UNKNOWN));
		expected.put(429, Fate.REFUSED_FOR_NOW);
		HttpClients.Sender sender = clients.observed(this.unattributed);
		SoftAssertions softly = new SoftAssertions();
		expected.forEach((status, fate) -> {
			answer(aResponse().withStatus(status));
			SentRequest sent = only(this.attempts.run(() -> sender.post(SERVER.baseUrl())));
			softly.assertThat(sent.fate()).as("%d", status).isEqualTo(fate);
			softly.assertThat(sent.status()).isEqualTo(status);
			softly.assertThat(sent.method()).isEqualTo("POST");
		});
		softly.assertAll();
		assertThat(this.unattributed.count()).isZero();
	}

	@ParameterizedTest
	@EnumSource(names = { "REST_CLIENT_ON_JDK", "REST_TEMPLATE_ON_SOCKETS", "WEB_CLIENT_ON_REACTOR" })
	void theDelayThatIsAskedForIsReadAndGarbageIsNot(HttpClients clients) {
		HttpClients.Sender sender = clients.observed(this.unattributed);
		assertThat(delay(sender, "7")).isEqualTo(Duration.ofSeconds(7));
		assertThat(delay(sender, "0")).isEqualTo(Duration.ZERO);
		assertThat(delay(sender, date(90))).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(90));
		assertThat(delay(sender, date(-90))).isEqualTo(Duration.ZERO);
		assertThat(delay(sender, "99999999999999999999")).isGreaterThan(Duration.ofDays(36_500));
		List.of("soon", "-5", "1.5").forEach((garbage) -> assertThat(delay(sender, garbage)).as(garbage).isNull());
	}

	@ParameterizedTest
	@EnumSource
	void whereNobodyListensNothingWasSent(HttpClients clients) throws IOException {
		String uri = Downstream.refusing();
		assertNotSent(this.attempts.run(() -> clients.observed(this.unattributed).post(uri)));
	}

	@ParameterizedTest
	@EnumSource
	void toAHostThatDoesNotExistNothingWasSent(HttpClients clients) {
		assertNotSent(
				this.attempts.run(() -> clients.observed(this.unattributed).post("http://downstream.invalid/charges")));
	}

	@ParameterizedTest
	@EnumSource
	void withoutAConnectionInTimeNothingWasSent(HttpClients clients) throws IOException {
		try (Downstream.Full server = new Downstream.Full()) {
			assumeTrue(server.fill(), "This system queues more connections than it was asked to.");
			assertNotSent(this.attempts.run(() -> clients.observed(this.unattributed).post(server.uri())));
		}
	}

	@ParameterizedTest
	@EnumSource
	void withoutAnAnswerInTimeNothingIsKnown(HttpClients clients) {
		answer(aResponse().withFixedDelay(3_000));
		assertNotKnown(this.attempts.run(() -> clients.observed(this.unattributed).post(SERVER.baseUrl())));
	}

	@ParameterizedTest
	@EnumSource
	void afterAResetNothingIsKnown(HttpClients clients) {
		answer(aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER));
		assertNotKnown(this.attempts.run(() -> clients.observed(this.unattributed).post(SERVER.baseUrl())));
		answer(aResponse().withFault(Fault.EMPTY_RESPONSE));
		assertNotKnown(this.attempts.run(() -> clients.observed(this.unattributed).post(SERVER.baseUrl())));
	}

	@ParameterizedTest
	@EnumSource
	void whatAServerTookBeforeItDiedIsNotKnown(HttpClients clients) throws Exception {
		try (Downstream.Dying server = new Downstream.Dying()) {
			HttpClients.Sender sender = clients.observed(this.unattributed);
			assertThat(this.attempts.run(() -> sender.post(server.uri())).thrown()).isNull();
			Attempts.Seen second = this.attempts.run(() -> sender.post(server.uri()));
			assertThat(server.tookTheSecond()).isTrue();
			assertNotKnown(second);
		}
	}

	@ParameterizedTest
	@EnumSource
	void everyMethodIsReported(HttpClients clients) {
		answer(aResponse());
		HttpClients.Sender sender = clients.observed(this.unattributed);
		List<HttpMethod> methods = List.of(HttpMethod.GET, HttpMethod.PUT, HttpMethod.DELETE, HttpMethod.HEAD);
		Attempts.Seen seen = this.attempts
			.run(() -> methods.forEach((method) -> sender.send(method, SERVER.baseUrl())));
		assertThat(seen.thrown()).isNull();
		assertThat(seen.sent()).extracting(SentRequest::method).containsExactly("GET", "PUT", "DELETE", "HEAD");
		assertThat(seen.sent()).extracting(SentRequest::fate).containsOnly(Fate.ANSWERED);
	}

	private Duration delay(HttpClients.Sender sender, String header) {
		answer(aResponse().withStatus(429).withHeader("Retry-After", header));
		SentRequest sent = only(this.attempts.run(() -> sender.post(SERVER.baseUrl())));
		assertThat(sent.fate()).isEqualTo(Fate.REFUSED_FOR_NOW);
		return sent.retryAfter();
	}

	private static String date(int seconds) {
		return DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(seconds));
	}

	private static void answer(ResponseDefinitionBuilder response) {
		SERVER.stubFor(any(anyUrl()).willReturn(response));
	}

	private static void assertNotSent(Attempts.Seen seen) {
		assertThat(only(seen).fate()).as("%s", seen.thrown()).isEqualTo(Fate.REFUSED_FOR_NOW);
		assertThat(only(seen).failure()).isNotNull();
		assertThat(only(seen).status()).isNull();
	}

	private static void assertNotKnown(Attempts.Seen seen) {
		assertThat(seen.thrown()).isNotNull();
		assertThat(only(seen).fate()).as("%s", seen.thrown()).isEqualTo(Fate.UNKNOWN);
	}

	private static SentRequest only(Attempts.Seen seen) {
		assertThat(seen.sent()).as("%s", seen.thrown()).hasSize(1);
		return seen.sent().get(0);
	}

}
