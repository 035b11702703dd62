package io.github.idem.sample.standin;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.common.Slf4jNotifier;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;

/**
 * The server that plays model and payment gateway. Each run of an application has URLs of
 * its own, so that nothing of one run shows in another.
 */
public final class StandIns implements AutoCloseable {

	private final ScriptedModel model = new ScriptedModel();

	private final PaymentGateway gateway = new PaymentGateway();

	private final WireMockServer server;

	public StandIns() {
		// Threads for twenty agents at once, some of them kept waiting on purpose; no
		// HTTP/2 upgrade, which JDK clients would try with every first request.
		this.server = new WireMockServer(WireMockConfiguration.options()
			.dynamicPort()
			.containerThreads(80)
			.http2PlainDisabled(true)
			.notifier(new Slf4jNotifier(false))
			.extensions(this.model, this.gateway));
		this.server.stubFor(WireMock.post(WireMock.urlPathMatching("/[^/]+/v1/chat/completions"))
			.willReturn(WireMock.aResponse().withTransformers(ScriptedModel.NAME)));
		this.server.stubFor(WireMock.any(WireMock.urlPathMatching("/[^/]+/payments/charges(/[^/]+)?"))
			.willReturn(WireMock.aResponse().withTransformers(PaymentGateway.NAME)));
		this.server.start();
	}

	/**
	 * Give a run its model.
	 */
	public void script(String run, ModelScript script) {
		this.model.play(run, script);
	}

	/**
	 * Give a run its account with the gateway.
	 */
	public PaymentLedger openAccount(String run, GatewayBehaviour behaviour) {
		return this.gateway.open(run, behaviour);
	}

	/**
	 * The tool results that the model of a run was given, each once, as it read them.
	 */
	public List<String> toolResults(String run) {
		return this.model.toolResults(run);
	}

	public String modelUrl(String run) {
		return this.server.baseUrl() + "/" + run + "/v1";
	}

	public String paymentsUrl(String run) {
		return this.server.baseUrl() + "/" + run + "/payments";
	}

	static String run(ServeEvent event) {
		return event.getRequest().getUrl().split("/", 3)[1];
	}

	static String lastSegment(String path) {
		return URLDecoder.decode(path.substring(path.lastIndexOf('/') + 1), StandardCharsets.UTF_8);
	}

	@Override
	public void close() {
		this.gateway.close();
		this.server.stop();
	}

}
