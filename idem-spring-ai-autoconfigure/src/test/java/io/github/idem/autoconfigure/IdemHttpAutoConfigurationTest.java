package io.github.idem.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import com.github.tomakehurst.wiremock.junit5.WireMockExtension;
import io.github.idem.SentRequest;
import io.github.idem.SentRequest.Fate;
import io.github.idem.http.HttpFailureClassifier;
import io.github.idem.http.ObservingInterceptor;
import io.github.idem.operation.Attempts;
import io.github.idem.operation.UnattributedRequests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.client.autoconfigure.HttpClientAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.imperative.ImperativeHttpClientAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.reactive.ReactiveHttpClientAutoConfiguration;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateBuilder;
import org.springframework.boot.restclient.RestTemplateCustomizer;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.RestTemplateAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.boot.webclient.autoconfigure.WebClientAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.ok;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static org.assertj.core.api.Assertions.assertThat;

/** Clients that Boot builds report, whatever of them is there. */
class IdemHttpAutoConfigurationTest {

	@RegisterExtension
	private static final WireMockExtension SERVER = WireMockExtension.newInstance().build();

	private final ApplicationContextRunner ours = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdemHttpAutoConfiguration.class));

	private final ApplicationContextRunner runner = this.ours.withConfiguration(
			AutoConfigurations.of(HttpClientAutoConfiguration.class, ImperativeHttpClientAutoConfiguration.class,
					ReactiveHttpClientAutoConfiguration.class, RestClientAutoConfiguration.class,
					RestTemplateAutoConfiguration.class, WebClientAutoConfiguration.class));

	@Test
	void clientsThatBootBuildsReport() {
		this.runner.run((context) -> {
			assertThat(context).hasNotFailed();
			SERVER.stubFor(post(anyUrl()).willReturn(ok()));
			Attempts.Seen seen = new Attempts().run(() -> postWithEach(context));
			assertThat(seen.thrown()).isNull();
			assertThat(seen.sent()).extracting(SentRequest::fate)
				.containsExactly(Fate.ANSWERED, Fate.ANSWERED, Fate.ANSWERED);
		});
	}

	@ParameterizedTest
	@CsvSource({ "jdk,jdk", "reactor,reactor", "http-components,http-components" })
	void whatIsRedirectedToWhatRefusesItIsNotRefused(String factory, String connector) {
		this.runner
			.withPropertyValues("spring.http.clients.imperative.factory=" + factory,
					"spring.http.clients.reactive.connector=" + connector)
			.run((context) -> {
				SERVER.stubFor(post(anyUrl()).willReturn(aResponse().withStatus(303).withHeader("Location", "/gone")));
				String uri = SERVER.baseUrl();
				List<Attempts.Tool> tools = List.of(
						() -> context.getBean(RestClient.Builder.class)
							.build()
							.post()
							.uri(uri)
							.retrieve()
							.toBodilessEntity(),
						() -> context.getBean(RestTemplateBuilder.class).build().postForEntity(uri, null, String.class),
						() -> context.getBean(WebClient.Builder.class)
							.build()
							.post()
							.uri(uri)
							.retrieve()
							.toBodilessEntity()
							.block());
				tools.forEach((tool) -> {
					Attempts.Seen seen = new Attempts().run(tool);
					assertThat(seen.thrown()).hasMessageContaining("404");
					assertThat(seen.sent()).extracting(SentRequest::fate).containsExactly(Fate.UNKNOWN);
				});
			});
	}

	@Test
	void outsideOfAttemptsTheyAllCountInOnePlace() {
		this.runner.run((context) -> {
			SERVER.stubFor(post(anyUrl()).willReturn(ok()));
			postWithEach(context);
			assertThat(context.getBean(UnattributedRequests.class).count()).isEqualTo(3);
		});
	}

	@Test
	void aBuilderThatIsCustomizedTwiceReportsOnce() {
		this.runner.run((context) -> {
			SERVER.stubFor(post(anyUrl()).willReturn(ok()));
			RestClient.Builder rest = context.getBean(RestClient.Builder.class);
			context.getBean("idemRestClientCustomizer", RestClientCustomizer.class).customize(rest);
			WebClient.Builder web = context.getBean(WebClient.Builder.class);
			context.getBean("idemWebClientCustomizer", WebClientCustomizer.class).customize(web);
			Attempts.Seen seen = new Attempts().run(() -> {
				rest.build().post().uri(SERVER.baseUrl()).retrieve().toBodilessEntity();
				web.build().post().uri(SERVER.baseUrl()).retrieve().toBodilessEntity().block();
			});
			assertThat(seen.sent()).hasSize(2);
		});
	}

	@Test
	void whatTheApplicationsCustomizersAddStandsOutside() {
		this.runner.withUserConfiguration(OwnCustomizers.class).run((context) -> {
			List<ClientHttpRequestInterceptor> ofRestClient = new ArrayList<>();
			context.getBean(RestClient.Builder.class).requestInterceptors(ofRestClient::addAll);
			assertThat(ofRestClient).hasSize(2).last().isInstanceOf(ObservingInterceptor.class);
			assertThat(context.getBean(RestTemplateBuilder.class).build().getInterceptors()).hasSize(2)
				.last()
				.isInstanceOf(ObservingInterceptor.class);
		});
	}

	@Test
	void switchedOffNothingReports() {
		this.runner.withPropertyValues("idem.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(HttpFailureClassifier.class)
				.doesNotHaveBean(UnattributedRequests.class)
				.doesNotHaveBean("idemRestClientCustomizer")
				.doesNotHaveBean("idemRestTemplateCustomizer")
				.doesNotHaveBean("idemWebClientCustomizer"));
	}

	@Test
	void withoutWebFluxTheOthersReport() {
		this.ours.withClassLoader(new FilteredClassLoader("org.springframework.web.reactive"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(HttpFailureClassifier.class)
				.hasSingleBean(RestClientCustomizer.class)
				.hasSingleBean(RestTemplateCustomizer.class)
				.doesNotHaveBean("idemWebClientCustomizer"));
	}

	@Test
	void withoutBootsClientModulesNothingIsCustomized() {
		this.ours
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.restclient",
					"org.springframework.boot.webclient"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(HttpFailureClassifier.class)
				.doesNotHaveBean("idemRestClientCustomizer")
				.doesNotHaveBean("idemWebClientCustomizer"));
	}

	@Test
	void withoutSpringWebThereIsNothingToReport() {
		this.ours
			.withClassLoader(new FilteredClassLoader("org.springframework.web", "org.springframework.http",
					"org.springframework.boot.restclient", "org.springframework.boot.webclient"))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(IdemHttpAutoConfiguration.class)
				.doesNotHaveBean(UnattributedRequests.class));
	}

	@Test
	void theApplicationsOwnCountIsUsed() {
		UnattributedRequests own = new UnattributedRequests();
		this.runner.withBean("own", UnattributedRequests.class, () -> own)
			.run((context) -> assertThat(context).hasNotFailed().getBean(UnattributedRequests.class).isSameAs(own));
	}

	private static void postWithEach(ApplicationContext context) {
		String uri = SERVER.baseUrl();
		context.getBean(RestClient.Builder.class).build().post().uri(uri).retrieve().toBodilessEntity();
		context.getBean(RestTemplateBuilder.class).build().postForLocation(uri, null);
		context.getBean(WebClient.Builder.class).build().post().uri(uri).retrieve().toBodilessEntity().block();
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnCustomizers {

		private static final ClientHttpRequestInterceptor OWN = (request, body, execution) -> execution.execute(request,
				body);

		@Bean
		RestClientCustomizer own() {
			return (builder) -> builder.requestInterceptor(OWN);
		}

		@Bean
		RestTemplateCustomizer ownForTemplates() {
			return (template) -> template.getInterceptors().add(OWN);
		}

	}

}
