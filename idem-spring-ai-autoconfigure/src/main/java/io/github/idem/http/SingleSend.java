package io.github.idem.http;

import java.util.function.Supplier;

import org.apache.hc.client5.http.impl.async.HttpAsyncClientBuilder;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.HttpComponentsClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.HttpRedirects;
import org.springframework.boot.http.client.JdkClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.JettyClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.ReactorClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.http.client.reactive.HttpComponentsClientHttpConnectorBuilder;
import org.springframework.boot.http.client.reactive.JdkClientHttpConnectorBuilder;
import org.springframework.boot.http.client.reactive.JettyClientHttpConnectorBuilder;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.reactive.ClientHttpConnector;

/**
 * Clients follow redirects, and some repeat requests, without a word to anybody: what is
 * seen is the end of the last one. So an attempt sends what may change something through
 * a client that does neither, beside the one that is used for everything else, and
 * redirects are followed where that is seen.
 */
public final class SingleSend {

	private SingleSend() {
	}

	/**
	 * Let the factories of a builder send an attempt's unsafe requests once.
	 * @param builder the builder, as Boot and the application have made it
	 * @return a builder of such factories; the same if they do so anyway, or it is not
	 * one of Boot's
	 */
	public static ClientHttpRequestFactoryBuilder<?> factories(ClientHttpRequestFactoryBuilder<?> builder) {
		ClientHttpRequestFactoryBuilder<?> once = factoriesThatSendOnce(builder);
		if (once == null) {
			return builder;
		}
		ClientHttpRequestFactoryBuilder<ClientHttpRequestFactory> seen = (settings) -> new SingleSendRequestFactory(
				builder.build(settings), () -> once.build(withoutRedirects(settings)), follows(settings),
				!(builder instanceof ReactorClientHttpRequestFactoryBuilder));
		return seen;
	}

	private static @Nullable ClientHttpRequestFactoryBuilder<?> factoriesThatSendOnce(
			ClientHttpRequestFactoryBuilder<?> builder) {
		if (builder instanceof HttpComponentsClientHttpRequestFactoryBuilder components) {
			return HttpComponents.factories(components);
		}
		boolean known = builder instanceof JdkClientHttpRequestFactoryBuilder
				|| builder instanceof ReactorClientHttpRequestFactoryBuilder
				|| builder instanceof JettyClientHttpRequestFactoryBuilder;
		return known ? builder : null;
	}

	/**
	 * Let the connectors of a builder send an attempt's unsafe requests once.
	 * @param builder the builder, as Boot and the application have made it
	 * @return a builder of such connectors; the same if what they send can be counted
	 * anyway, or it is not one of Boot's
	 */
	public static ClientHttpConnectorBuilder<?> connectors(ClientHttpConnectorBuilder<?> builder) {
		ClientHttpConnectorBuilder<?> once = connectorsThatSendOnce(builder);
		if (once == null) {
			return builder;
		}
		ClientHttpConnectorBuilder<ClientHttpConnector> seen = (settings) -> new SingleSendConnector(
				builder.build(settings), () -> once.build(withoutRedirects(settings)), follows(settings));
		return seen;
	}

	private static @Nullable ClientHttpConnectorBuilder<?> connectorsThatSendOnce(
			ClientHttpConnectorBuilder<?> builder) {
		if (builder instanceof HttpComponentsClientHttpConnectorBuilder components) {
			return HttpComponents.connectors(components);
		}
		boolean known = builder instanceof JdkClientHttpConnectorBuilder
				|| builder instanceof JettyClientHttpConnectorBuilder;
		return known ? builder : null;
	}

	private static HttpClientSettings withoutRedirects(@Nullable HttpClientSettings settings) {
		return ((settings != null) ? settings : HttpClientSettings.defaults()).withRedirects(HttpRedirects.DONT_FOLLOW);
	}

	private static boolean follows(@Nullable HttpClientSettings settings) {
		return settings == null || settings.redirects() != HttpRedirects.DONT_FOLLOW;
	}

	/** Makes something once, when it is first asked for. */
	static final class Lazy<T> {

		private final Supplier<T> maker;

		private @Nullable T made;

		Lazy(Supplier<T> maker) {
			this.maker = maker;
		}

		synchronized T get() {
			T there = this.made;
			if (there == null) {
				there = this.maker.get();
				this.made = there;
			}
			return there;
		}

		synchronized @Nullable T ifMade() {
			return this.made;
		}

	}

	/** Not loaded without Apache's client. */
	private static final class HttpComponents {

		static ClientHttpRequestFactoryBuilder<?> factories(HttpComponentsClientHttpRequestFactoryBuilder builder) {
			return builder.withHttpClientCustomizer(HttpClientBuilder::disableAutomaticRetries);
		}

		static ClientHttpConnectorBuilder<?> connectors(HttpComponentsClientHttpConnectorBuilder builder) {
			return builder.withHttpClientCustomizer(HttpAsyncClientBuilder::disableAutomaticRetries);
		}

	}

}
