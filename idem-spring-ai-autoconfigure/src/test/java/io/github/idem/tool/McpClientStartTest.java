package io.github.idem.tool;

import java.util.Map;

import org.junit.jupiter.api.Test;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The tools of MCP servers are known when somebody asks for them, not before: a server
 * may be down, slow, or need a user's token.
 */
class McpClientStartTest {

	@Test
	void theToolsAreListedWhenTheyAreNeededAndNotBefore() {
		try (McpBank bank = new McpBank(); ConfigurableApplicationContext application = start(bank.connection())) {
			assertThat(bank.timesListed()).isZero();
			assertThat(tools(application).getToolCallbacks()).extracting(McpClientStartTest::name)
				.containsExactlyInAnyOrder("transfer_money", "balance");
			assertThat(bank.timesListed()).isEqualTo(1);
		}
	}

	@Test
	void aServerThatIsDownDoesNotKeepTheApplicationFromStarting() {
		// No server has port 1.
		try (ConfigurableApplicationContext application = start(McpBank.connection("http://localhost:1"))) {
			assertThat(application.isRunning()).isTrue();
		}
	}

	private static ConfigurableApplicationContext start(Map<String, Object> connection) {
		return new SpringApplicationBuilder(ToolCallTest.Application.class).web(WebApplicationType.NONE)
			.properties("spring.ai.model.chat=none", "spring.ai.openai.api-key=none", "spring.main.banner-mode=off",
					"spring.datasource.generate-unique-name=true", "spring.ai.mcp.server.enabled=false",
					"spring.ai.mcp.client.initialized=false", "idem.tools.transfer_money.duplicates=reject")
			.properties(connection)
			.run();
	}

	private static ToolCallbackProvider tools(ConfigurableApplicationContext application) {
		return application.getBean("mcpToolCallbacks", ToolCallbackProvider.class);
	}

	private static String name(ToolCallback callback) {
		return callback.getToolDefinition().name();
	}

}
