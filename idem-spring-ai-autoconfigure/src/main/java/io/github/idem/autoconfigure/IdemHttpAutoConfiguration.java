package io.github.idem.autoconfigure;

import io.github.idem.http.HttpFailureClassifier;
import io.github.idem.http.ObservingFilter;
import io.github.idem.http.ObservingInterceptor;
import io.github.idem.http.SingleSend;
import io.github.idem.operation.UnattributedRequests;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.autoconfigure.ClientHttpRequestFactoryBuilderCustomizer;
import org.springframework.boot.http.client.autoconfigure.reactive.ClientHttpConnectorBuilderCustomizer;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateCustomizer;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * HTTP clients that Boot builds report what a protected tool sends. Added last, so that
 * what other customizers add stands outside.
 */
@AutoConfiguration(before = IdemEngineAutoConfiguration.class)
@ConditionalOnProperty(name = "idem.enabled", havingValue = "true", matchIfMissing = true)
@ConditionalOnClass(ClientHttpRequestInterceptor.class)
public final class IdemHttpAutoConfiguration {

	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	HttpFailureClassifier idemHttpFailureClassifier() {
		return new HttpFailureClassifier();
	}

	@Bean
	@ConditionalOnMissingBean
	UnattributedRequests idemUnattributedRequests() {
		return new UnattributedRequests();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ClientHttpRequestFactoryBuilderCustomizer.class)
	static class RequestFactories {

		@Bean
		@Order(Ordered.LOWEST_PRECEDENCE)
		ClientHttpRequestFactoryBuilderCustomizer<ClientHttpRequestFactoryBuilder<?>> idemRequestFactoryBuilderCustomizer() {
			return SingleSend::factories;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ ClientHttpConnectorBuilderCustomizer.class, WebClient.class })
	static class Connectors {

		@Bean
		@Order(Ordered.LOWEST_PRECEDENCE)
		ClientHttpConnectorBuilderCustomizer<ClientHttpConnectorBuilder<?>> idemConnectorBuilderCustomizer() {
			return SingleSend::connectors;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RestClientCustomizer.class)
	static class RestClients {

		@Bean
		@Order(Ordered.LOWEST_PRECEDENCE)
		RestClientCustomizer idemRestClientCustomizer(UnattributedRequests unattributed) {
			ObservingInterceptor interceptor = new ObservingInterceptor(unattributed);
			return (builder) -> builder.requestInterceptors((interceptors) -> {
				if (!interceptors.contains(interceptor)) {
					interceptors.add(interceptor);
				}
			});
		}

		@Bean
		@Order(Ordered.LOWEST_PRECEDENCE)
		RestTemplateCustomizer idemRestTemplateCustomizer(UnattributedRequests unattributed) {
			ObservingInterceptor interceptor = new ObservingInterceptor(unattributed);
			return (template) -> template.getInterceptors().add(interceptor);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ WebClientCustomizer.class, WebClient.class })
	static class WebClients {

		@Bean
		@Order(Ordered.LOWEST_PRECEDENCE)
		WebClientCustomizer idemWebClientCustomizer(UnattributedRequests unattributed) {
			ObservingFilter filter = new ObservingFilter(unattributed);
			return filter::observe;
		}

	}

}
