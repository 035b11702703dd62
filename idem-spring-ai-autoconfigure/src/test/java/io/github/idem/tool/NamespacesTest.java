package io.github.idem.tool;

import java.util.List;
import java.util.Map;

import io.github.idem.TaskIdResolver;
import io.github.idem.operation.OperationStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static io.github.idem.tool.ScriptedChatModel.call;
import static io.github.idem.tool.ScriptedChatModel.calls;
import static org.assertj.core.api.Assertions.assertThat;

/** Two applications in one database, and tenants of one application. */
abstract class NamespacesTest {

	private String url = "";

	abstract String newDatabase();

	@BeforeEach
	void createDatabase() {
		this.url = newDatabase();
	}

	@Test
	void twoApplicationsWithTheSameTaskCallAndKeyNeverMeet() {
		try (ConfigurableApplicationContext shop = start("shop"); ConfigurableApplicationContext till = start("till")) {
			for (ConfigurableApplicationContext application : new ConfigurableApplicationContext[] { shop, till }) {
				assertThat(pay(application, Map.of("task_id", "t1"))).hasSize(1);
				assertThat(pay(application, Map.of("task_id", "t1"))).hasSize(1);
				assertThat(application.getBean(OperationStore.class).find("t1:call_1"))
					.hasValueSatisfying((operation) -> assertThat(operation.namespace())
						.isEqualTo(application.getEnvironment().getProperty("idem.namespace")));
			}
		}
	}

	@Test
	void aTaskIdResolverCanAddTheTenant() {
		try (ConfigurableApplicationContext shop = start("shop")) {
			pay(shop, Map.of("tenant", "north", "order", "4711"));
			pay(shop, Map.of("tenant", "south", "order", "4711"));
			assertThat(pay(shop, Map.of("tenant", "north", "order", "4711"))).extracting(Payments.Entry::taskId)
				.containsExactly("north/4711", "south/4711");
		}
	}

	private List<Payments.Entry> pay(ConfigurableApplicationContext application, Map<String, Object> toolContext) {
		Payments payments = application.getBean(Payments.class);
		application.getBean(ScriptedChatModel.class)
			.rounds(calls(call("call_1", "pay", "{\"user\":\"u1\",\"amount\":1}")));
		application.getBean(ChatClient.Builder.class)
			.build()
			.prompt("please")
			.tools(payments)
			.toolContext(toolContext)
			.call()
			.content();
		return payments.entered;
	}

	private ConfigurableApplicationContext start(String namespace) {
		return new SpringApplicationBuilder(ToolCallTest.Application.class, Tenants.class).web(WebApplicationType.NONE)
			.properties(Map.of("idem.namespace", namespace, "spring.datasource.url", this.url, "spring.ai.model.chat",
					"none", "spring.ai.openai.api-key", "none", "spring.main.banner-mode", "off"))
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	static class Tenants {

		@Bean
		TaskIdResolver taskIdResolver() {
			return (context) -> context.containsKey("order") ? context.get("tenant") + "/" + context.get("order")
					: null;
		}

	}

}
