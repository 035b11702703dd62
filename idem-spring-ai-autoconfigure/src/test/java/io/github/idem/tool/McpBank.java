package io.github.idem.tool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.ai.mcp.annotation.McpMeta;
import org.springframework.ai.mcp.annotation.McpTool;
import org.springframework.ai.mcp.annotation.McpToolParam;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.ContentCachingRequestWrapper;

/**
 * An MCP server over streamable HTTP, an application of its own without idem. It
 * remembers what it was told.
 */
final class McpBank implements AutoCloseable {

	private final ConfigurableApplicationContext application;

	McpBank() {
		this.application = new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.properties("spring.application.name=bank", "server.port=0", "server.shutdown=immediate",
					"spring.main.banner-mode=off", "spring.ai.mcp.server.protocol=STREAMABLE",
					"spring.ai.mcp.client.enabled=false", "spring.ai.model.chat=none", "spring.ai.openai.api-key=none",
					"idem.enabled=false", "spring.datasource.generate-unique-name=true")
			.run();
	}

	/** What a client has to be told to find the server. */
	Map<String, Object> connection() {
		int port = ((WebServerApplicationContext) this.application).getWebServer().getPort();
		return connection("http://localhost:" + port);
	}

	static Map<String, Object> connection(String url) {
		return Map.of("spring.ai.mcp.client.enabled", true, "spring.ai.mcp.client.streamable-http.connections.bank.url",
				url);
	}

	/** The calls that came through, in order. */
	List<Received> received() {
		return this.application.getBean(Tools.class).received;
	}

	/** How often a client asked which tools there are. */
	long timesListed() {
		return this.application.getBean(Wire.class).bodies.stream()
			.filter((body) -> body.contains("\"tools/list\""))
			.count();
	}

	void forget() {
		received().clear();
	}

	@Override
	public void close() {
		this.application.close();
	}

	/** A call as the server saw it. */
	record Received(String tool, String arguments, Map<String, Object> meta) {
	}

	static final class Tools {

		private final List<Received> received = new CopyOnWriteArrayList<>();

		@McpTool(name = "transfer-money", description = "Transfers money")
		public String transfer(@McpToolParam String to, @McpToolParam String amount, McpMeta meta) {
			this.received.add(new Received("transfer-money", to + " " + amount, Map.copyOf(meta.meta())));
			return "transfer #" + this.received.size();
		}

		@McpTool(name = "balance", description = "Reads the balance")
		public String balance(@McpToolParam String of, McpMeta meta) {
			this.received.add(new Received("balance", of, Map.copyOf(meta.meta())));
			return "balance #" + this.received.size();
		}

	}

	/** What clients send, as it is on the wire. */
	static final class Wire extends OncePerRequestFilter {

		private final List<String> bodies = new CopyOnWriteArrayList<>();

		@Override
		protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
				throws ServletException, IOException {
			ContentCachingRequestWrapper caching = new ContentCachingRequestWrapper(request, 1 << 20);
			try {
				chain.doFilter(caching, response);
			}
			finally {
				this.bodies.add(new String(caching.getContentAsByteArray(), StandardCharsets.UTF_8));
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		Tools tools() {
			return new Tools();
		}

		@Bean
		Wire wire() {
			return new Wire();
		}

	}

}
