package io.github.idem.http;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import io.github.idem.FailedAttempt;
import io.github.idem.FailureClassifier;
import io.github.idem.Judgement;
import io.github.idem.operation.Attempts;
import io.github.idem.operation.UnattributedRequests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.util.retry.Retry;

import org.springframework.web.client.RestClientException;
import org.springframework.web.reactive.function.client.WebClient;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static org.assertj.core.api.Assertions.assertThat;

/** What a failed attempt came to, by all it has sent. */
class HttpFailureClassifierTest {

	@RegisterExtension
	private static final WireMockExtension SERVER = WireMockExtension.newInstance().build();

	private final Attempts attempts = new Attempts();

	private final UnattributedRequests unattributed = new UnattributedRequests();

	@ParameterizedTest
	@EnumSource
	void aRefusalStands(HttpClients clients) {
		answerPost(aResponse().withStatus(422).withBody("card 4111"));
		assertThat(judged(() -> clients.observed(this.unattributed).post(SERVER.baseUrl())))
			.contains(new Judgement.NotApplied("The request was refused with status 422."));
	}

	@ParameterizedTest
	@EnumSource
	void aRefusalStandsHoweverTheToolWrapsIt(HttpClients clients) {
		answerPost(aResponse().withStatus(422));
		HttpClients.Sender sender = clients.observed(this.unattributed);
		assertThat(judged(() -> {
			try {
				sender.post(SERVER.baseUrl());
			}
			catch (RuntimeException ex) {
				throw new IllegalStateException("Charge failed", new RuntimeException(ex));
			}
		})).contains(new Judgement.NotApplied("The request was refused with status 422."));
	}

	@ParameterizedTest
	@EnumSource
	void tooManyRequestsPassesAfterTheDelayThatWasAskedFor(HttpClients clients) {
		answerPost(aResponse().withStatus(429).withHeader("Retry-After", "7"));
		assertThat(judged(() -> clients.observed(this.unattributed).post(SERVER.baseUrl()))).contains(
				new Judgement.NotApplied("The request was refused with status 429.", true, Duration.ofSeconds(7)));
	}

	@ParameterizedTest
	@EnumSource
	void aConnectionThatWasNotMadePasses(HttpClients clients) throws IOException {
		String uri = Downstream.refusing();
		assertThat(judged(() -> clients.observed(this.unattributed).post(uri)))
			.contains(new Judgement.NotApplied("No connection could be made, so nothing was sent.", true, null));
	}

	@ParameterizedTest
	@EnumSource
	void aConflictASlowAnswerAndAnErrorAreNotJudged(HttpClients clients) {
		HttpClients.Sender sender = clients.observed(this.unattributed);
		answerPost(aResponse().withStatus(409));
		assertThat(judged(() -> sender.post(SERVER.baseUrl()))).isEmpty();
		answerPost(aResponse().withStatus(503).withHeader("Retry-After", "1"));
		assertThat(judged(() -> sender.post(SERVER.baseUrl()))).isEmpty();
		answerPost(aResponse().withFixedDelay(3_000));
		assertThat(judged(() -> sender.post(SERVER.baseUrl()))).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void aChargeIsNotUndoneByAReceiptThatIsMissing(HttpClients clients) {
		answerPost(aResponse().withStatus(200));
		answerGet(aResponse().withStatus(404));
		HttpClients.Sender sender = clients.observed(this.unattributed);
		assertThat(judged(() -> {
			sender.post(SERVER.baseUrl());
			sender.get(SERVER.baseUrl());
		})).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void aFailedReadAfterARefusalIsNotTheRefusal(HttpClients clients) {
		answerPost(aResponse().withStatus(404));
		answerGet(aResponse().withStatus(404));
		HttpClients.Sender sender = clients.observed(this.unattributed);
		assertThat(judged(() -> {
			quietly(() -> sender.post(SERVER.baseUrl()));
			sender.get(SERVER.baseUrl());
		})).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void aReadBeforeARefusalDoesNotMatter(HttpClients clients) {
		answerPost(aResponse().withStatus(422));
		answerGet(aResponse().withStatus(503));
		HttpClients.Sender sender = clients.observed(this.unattributed);
		assertThat(judged(() -> {
			quietly(() -> sender.get(SERVER.baseUrl()));
			sender.post(SERVER.baseUrl());
		})).contains(new Judgement.NotApplied("The request was refused with status 422."));
	}

	@ParameterizedTest
	@EnumSource
	void readsAloneAreNotJudged(HttpClients clients) throws IOException {
		answerGet(aResponse().withStatus(404));
		String nowhere = Downstream.refusing();
		HttpClients.Sender sender = clients.observed(this.unattributed);
		assertThat(judged(() -> sender.get(SERVER.baseUrl()))).isEmpty();
		assertThat(judged(() -> sender.get(nowhere))).isEmpty();
		assertThat(judged(() -> {
			throw new IllegalStateException("Nothing was sent.");
		})).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void whatTheToolSendsAgainItselfMayHaveBeenAppliedAtFirst(HttpClients clients) {
		answersToPosts(aResponse().withFixedDelay(3_000), aResponse().withStatus(400).withBody("already paid"));
		HttpClients.Sender sender = clients.observed(this.unattributed);
		assertThat(judged(() -> {
			quietly(() -> sender.post(SERVER.baseUrl()));
			sender.post(SERVER.baseUrl());
		})).isEmpty();
		SERVER.verify(2, postRequestedFor(anyUrl()));
	}

	@ParameterizedTest
	@EnumSource
	void ifBothWereRefusedTheLastOneSaysWhetherItPasses(HttpClients clients) {
		answersToPosts(aResponse().withStatus(429), aResponse().withStatus(422));
		HttpClients.Sender sender = clients.observed(this.unattributed);
		assertThat(judged(() -> {
			quietly(() -> sender.post(SERVER.baseUrl()));
			sender.post(SERVER.baseUrl());
		})).contains(new Judgement.NotApplied("The request was refused with status 422."));
	}

	@ParameterizedTest
	@EnumSource
	void anExceptionOfTheToolsOwnDoesNotComeFromTheRefusalItCaught(HttpClients clients) throws IOException {
		answerPost(aResponse().withStatus(422));
		HttpClients.Sender sender = clients.observed(this.unattributed);
		assertThat(judged(() -> {
			quietly(() -> sender.post(SERVER.baseUrl()));
			throw new IllegalStateException("Something else");
		})).isEmpty();
		String nowhere = Downstream.refusing();
		assertThat(judged(() -> {
			quietly(() -> sender.post(nowhere));
			throw new IOException("Something else");
		})).isEmpty();
	}

	@Test
	void anAnswerOfAnotherStatusIsNotTheRefusal() {
		answersToPosts(aResponse().withStatus(422), aResponse().withStatus(404));
		HttpClients.Sender sender = HttpClients.REST_CLIENT_ON_JDK.observed(this.unattributed);
		RuntimeException[] first = new RuntimeException[1];
		assertThat(judged(() -> {
			try {
				sender.post(SERVER.baseUrl());
			}
			catch (RestClientException ex) {
				first[0] = ex;
			}
			quietly(() -> sender.post(SERVER.baseUrl()));
			throw first[0];
		})).isEmpty();
	}

	@Test
	void causesThatGoInACircleEnd() {
		IllegalStateException one = new IllegalStateException("one");
		one.initCause(new IllegalStateException("two", one));
		answerPost(aResponse().withStatus(422));
		assertThat(judged(() -> {
			quietly(() -> HttpClients.REST_CLIENT_ON_JDK.observed(this.unattributed).post(SERVER.baseUrl()));
			throw one;
		})).isEmpty();
	}

	@Test
	void whatIsSentAgainOnAnotherThreadMayHaveBeenApplied() {
		answersToPosts(aResponse().withStatus(429), aResponse().withFixedDelay(3_000), aResponse().withStatus(429));
		WebClient client = HttpClients.webClient(this.unattributed).build();
		assertThat(judged(() -> client.post()
			.uri(SERVER.baseUrl())
			.bodyValue("{}")
			.retrieve()
			.toBodilessEntity()
			.retryWhen(Retry.fixedDelay(2, Duration.ofMillis(10)))
			.block())).isEmpty();
		SERVER.verify(3, postRequestedFor(anyUrl()));
	}

	@Test
	void whatNobodyWaitsForAnyLongerMayHaveBeenApplied() {
		answerPost(aResponse().withFixedDelay(3_000));
		WebClient client = HttpClients.webClient(this.unattributed).build();
		assertThat(judged(
				() -> client.post().uri(SERVER.baseUrl()).retrieve().toBodilessEntity().block(Duration.ofMillis(100))))
			.isEmpty();
		assertThat(judged(() -> client.post()
			.uri(SERVER.baseUrl())
			.retrieve()
			.toBodilessEntity()
			.timeout(Duration.ofMillis(100))
			.block())).isEmpty();
	}

	@Test
	void webFluxNeedNotBeThere() throws Exception {
		answerPost(aResponse().withStatus(422));
		FailedAttempt attempt = this.attempts
			.run(() -> HttpClients.REST_CLIENT_ON_JDK.observed(this.unattributed).post(SERVER.baseUrl()))
			.failed();
		FailedAttempt unknown = new FailedAttempt(attempt.tool(), attempt.requestId(), 1, new IOException("other"),
				attempt.sent());
		FailureClassifier classifier = (FailureClassifier) new WithoutWebFlux()
			.loadClass(HttpFailureClassifier.class.getName())
			.getConstructor()
			.newInstance();
		assertThat(classifier.getClass()).isNotEqualTo(HttpFailureClassifier.class);
		assertThat(classifier.classify(attempt))
			.contains(new Judgement.NotApplied("The request was refused with status 422."));
		assertThat(classifier.classify(unknown)).isEmpty();
	}

	private Optional<Judgement> judged(Attempts.Tool tool) {
		return new HttpFailureClassifier().classify(this.attempts.run(tool).failed());
	}

	private static void quietly(Runnable sending) {
		try {
			sending.run();
		}
		catch (RuntimeException ex) {
			// The tool goes on.
		}
	}

	private static void answerPost(ResponseDefinitionBuilder response) {
		SERVER.stubFor(post(anyUrl()).willReturn(response));
	}

	private static void answerGet(ResponseDefinitionBuilder response) {
		SERVER.stubFor(get(anyUrl()).willReturn(response));
	}

	private static void answersToPosts(ResponseDefinitionBuilder... responses) {
		for (int i = 0; i < responses.length; i++) {
			SERVER.stubFor(post(anyUrl()).inScenario("posts")
				.whenScenarioStateIs((i == 0) ? Scenario.STARTED : "sent " + i)
				.willSetStateTo("sent " + (i + 1))
				.willReturn(responses[i]));
		}
	}

	/** Defines the classifier itself, and finds no WebFlux. */
	private static final class WithoutWebFlux extends ClassLoader {

		WithoutWebFlux() {
			super(HttpFailureClassifierTest.class.getClassLoader());
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (name.startsWith("org.springframework.web.reactive.")) {
				throw new ClassNotFoundException(name);
			}
			if (!name.startsWith(HttpFailureClassifier.class.getName())) {
				return super.loadClass(name, resolve);
			}
			Class<?> loaded = findLoadedClass(name);
			return (loaded != null) ? loaded : define(name);
		}

		private Class<?> define(String name) throws ClassNotFoundException {
			try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
				byte[] bytes = in.readAllBytes();
				return defineClass(name, bytes, 0, bytes.length);
			}
			catch (IOException ex) {
				throw new ClassNotFoundException(name, ex);
			}
		}

	}

}
