package io.github.idem.http;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;

import io.github.idem.operation.UnattributedRequests;
import io.netty.channel.ChannelOption;

import org.springframework.http.HttpMethod;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.ReactorClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

/** The clients that a tool may send with, observed. */
enum HttpClients {

	REST_CLIENT_ON_JDK, REST_CLIENT_ON_SOCKETS, REST_CLIENT_ON_REACTOR, REST_TEMPLATE_ON_JDK, REST_TEMPLATE_ON_SOCKETS,
	WEB_CLIENT_ON_JDK, WEB_CLIENT_ON_REACTOR;

	private static final Duration CONNECT = Duration.ofMillis(500);

	private static final Duration READ = Duration.ofMillis(700);

	Sender observed(UnattributedRequests unattributed) {
		return switch (this) {
			case REST_CLIENT_ON_JDK -> restClient(jdk(), unattributed);
			case REST_CLIENT_ON_SOCKETS -> restClient(sockets(), unattributed);
			case REST_CLIENT_ON_REACTOR -> restClient(reactor(), unattributed);
			case REST_TEMPLATE_ON_JDK -> restTemplate(jdk(), unattributed);
			case REST_TEMPLATE_ON_SOCKETS -> restTemplate(sockets(), unattributed);
			case WEB_CLIENT_ON_JDK -> webClient(jdkConnector(), unattributed);
			case WEB_CLIENT_ON_REACTOR -> webClient(reactorConnector(), unattributed);
		};
	}

	WebClient.Builder webClientBuilder(UnattributedRequests unattributed) {
		return webClient(unattributed)
			.clientConnector((this == WEB_CLIENT_ON_REACTOR) ? reactorConnector() : jdkConnector());
	}

	static RestClient.Builder restClient(UnattributedRequests unattributed) {
		return RestClient.builder().requestFactory(jdk()).requestInterceptor(new ObservingInterceptor(unattributed));
	}

	static WebClient.Builder webClient(UnattributedRequests unattributed) {
		WebClient.Builder builder = WebClient.builder().clientConnector(jdkConnector());
		new ObservingFilter(unattributed).observe(builder);
		return builder;
	}

	private static Sender restClient(ClientHttpRequestFactory factory, UnattributedRequests unattributed) {
		RestClient client = restClient(unattributed).requestFactory(factory).build();
		return (method, uri) -> client.method(method).uri(uri).retrieve().toBodilessEntity();
	}

	private static Sender restTemplate(ClientHttpRequestFactory factory, UnattributedRequests unattributed) {
		RestTemplate template = new RestTemplate(factory);
		template.setInterceptors(List.of(new ObservingInterceptor(unattributed)));
		return (method, uri) -> template.execute(uri, method, null, null);
	}

	private static Sender webClient(ClientHttpConnector connector, UnattributedRequests unattributed) {
		WebClient client = webClient(unattributed).clientConnector(connector).build();
		return (method, uri) -> client.method(method).uri(uri).retrieve().toBodilessEntity().block();
	}

	private static HttpClient jdkClient() {
		return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT).build();
	}

	private static ClientHttpRequestFactory jdk() {
		JdkClientHttpRequestFactory factory = new JdkClientHttpRequestFactory(jdkClient());
		factory.setReadTimeout(READ);
		return factory;
	}

	private static ClientHttpRequestFactory sockets() {
		SimpleClientHttpRequestFactory factory = new SimpleClientHttpRequestFactory();
		factory.setConnectTimeout(CONNECT);
		factory.setReadTimeout(READ);
		return factory;
	}

	private static ClientHttpRequestFactory reactor() {
		return new ReactorClientHttpRequestFactory(reactorClient());
	}

	private static reactor.netty.http.client.HttpClient reactorClient() {
		return reactor.netty.http.client.HttpClient.create()
			.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) CONNECT.toMillis())
			.responseTimeout(READ);
	}

	private static ClientHttpConnector jdkConnector() {
		JdkClientHttpConnector connector = new JdkClientHttpConnector(jdkClient());
		connector.setReadTimeout(READ);
		return connector;
	}

	private static ClientHttpConnector reactorConnector() {
		return new ReactorClientHttpConnector(reactorClient());
	}

	/** Sends a request without a body and throws what the client throws. */
	@FunctionalInterface
	interface Sender {

		void send(HttpMethod method, String uri);

		default void post(String uri) {
			send(HttpMethod.POST, uri);
		}

		default void get(String uri) {
			send(HttpMethod.GET, uri);
		}

	}

}
