package io.github.idem.http;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import io.github.idem.IdempotencyException;
import io.github.idem.SentRequest;
import io.github.idem.SentRequest.Fate;
import io.github.idem.operation.Attempts;
import io.github.idem.operation.UnattributedRequests;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What an attempt may send, and what is known of requests that no attempt has sent. */
class ObservedAttemptTest {

	@RegisterExtension
	private static final WireMockExtension SERVER = WireMockExtension.newInstance().build();

	/** Not one of the common pool, on which the JDK's client completes its answers. */
	private static final Executor OTHER_THREAD = (task) -> new Thread(task).start();

	private final Attempts attempts = new Attempts();

	private final UnattributedRequests unattributed = new UnattributedRequests();

	@BeforeEach
	void answerAll() {
		SERVER.stubFor(any(anyUrl()).willReturn(ok()));
	}

	@ParameterizedTest
	@EnumSource
	void anAttemptWhoseLeaseIsOverSendsNothing(HttpClients clients) {
		HttpClients.Sender sender = clients.observed(this.unattributed);
		Attempts.Seen seen = this.attempts.runAfterTheLease(() -> sender.post(SERVER.baseUrl()));
		assertThat(seen.thrown()).isInstanceOf(IdempotencyException.class).hasMessageContaining("lease");
		assertThat(seen.sent()).isEmpty();
		assertNothingArrives();
		assertThat(this.unattributed.count()).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void anAttemptWhoseLeaseIsOverMayStillRead(HttpClients clients) {
		HttpClients.Sender sender = clients.observed(this.unattributed);
		assertThat(this.attempts.runAfterTheLease(() -> sender.get(SERVER.baseUrl())).thrown()).isNull();
		SERVER.verify(1, anyRequestedFor(anyUrl()));
	}

	@ParameterizedTest
	@EnumSource
	void aSecondUnsafeRequestIsOnRecordBeforeItIsSent(HttpClients clients) {
		HttpClients.Sender sender = clients.observed(this.unattributed);
		Attempts.Seen seen = this.attempts.run(() -> {
			sender.get(SERVER.baseUrl());
			sender.post(SERVER.baseUrl());
			sender.get(SERVER.baseUrl());
			assertThat(this.attempts.severalRecorded()).as("reads do not count").isFalse();
			sender.post(SERVER.baseUrl());
			assertThat(this.attempts.severalRecorded()).isTrue();
		});
		assertThat(seen.thrown()).isNull();
		assertThat(seen.sent()).extracting(SentRequest::fate).hasSize(4).containsOnly(Fate.ANSWERED);
	}

	@Test
	void aSecondUnsafeRequestOfAPipelineIsOnRecordToo() {
		WebClient client = HttpClients.webClient(this.unattributed).build();
		Attempts.Seen seen = this.attempts.run(() -> {
			Mono<?> one = client.post().uri(SERVER.baseUrl() + "/a").retrieve().toBodilessEntity();
			Mono<?> two = client.post().uri(SERVER.baseUrl() + "/b").retrieve().toBodilessEntity();
			one.then(two).block();
		});
		assertThat(seen.thrown()).isNull();
		SERVER.verify(2, postRequestedFor(anyUrl()));
		assertThat(this.attempts.severalRecorded()).isTrue();
	}

	@ParameterizedTest
	@EnumSource
	void aSecondUnsafeRequestThatCannotBeRecordedIsNotSent(HttpClients clients) {
		HttpClients.Sender sender = clients.observed(this.unattributed);
		Attempts.Seen seen = this.attempts.run(() -> {
			sender.post(SERVER.baseUrl());
			this.attempts.endClaim();
			sender.post(SERVER.baseUrl());
		});
		assertThat(seen.thrown()).isInstanceOf(IdempotencyException.class).hasMessageContaining("no longer stands");
		assertThat(seen.sent()).hasSize(1);
		await().during(Duration.ofMillis(200)).untilAsserted(() -> SERVER.verify(1, postRequestedFor(anyUrl())));
	}

	@ParameterizedTest
	@EnumSource
	void whatNoAttemptSendsIsCountedIfItIsUnsafe(HttpClients clients) {
		HttpClients.Sender sender = clients.observed(this.unattributed);
		sender.get(SERVER.baseUrl());
		assertThat(this.unattributed.count()).isZero();
		sender.post(SERVER.baseUrl());
		assertThat(this.unattributed.count()).isEqualTo(1);
	}

	@ParameterizedTest
	@EnumSource
	void whatAnotherThreadOfTheToolSendsIsCountedButNotTheAttempts(HttpClients clients) {
		HttpClients.Sender sender = clients.observed(this.unattributed);
		Attempts.Seen seen = this.attempts
			.run(() -> CompletableFuture.runAsync(() -> sender.post(SERVER.baseUrl()), OTHER_THREAD).get(10, SECONDS));
		assertThat(seen.thrown()).isNull();
		assertThat(seen.sent()).isEmpty();
		assertThat(this.unattributed.count()).isEqualTo(1);
	}

	@Test
	void itIsCountedBeforeItIsSent() {
		AtomicBoolean counted = new AtomicBoolean();
		ClientHttpRequestInterceptor inner = (request, body, execution) -> {
			counted.set(this.unattributed.count() == 1);
			return execution.execute(request, body);
		};
		RestClient client = HttpClients.restClient(this.unattributed).requestInterceptor(inner).build();
		client.post().uri(SERVER.baseUrl()).retrieve().toBodilessEntity();
		assertThat(counted).isTrue();
	}

	private static void assertNothingArrives() {
		await().during(Duration.ofMillis(200)).untilAsserted(() -> SERVER.verify(0, anyRequestedFor(anyUrl())));
	}

}
