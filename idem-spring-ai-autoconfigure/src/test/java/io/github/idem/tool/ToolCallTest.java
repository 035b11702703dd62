package io.github.idem.tool;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.github.idem.operation.OperationStore;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A small application with idem in it, on a database that the subclass names. One
 * application serves all tests of a class, with an empty record for each.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ToolCallTest {

	enum Mode {

		CALL, STREAM

	}

	ConfigurableApplicationContext context;

	ScriptedChatModel model;

	Payments payments;

	OperationStore store;

	JdbcClient jdbc;

	/** Properties of a database that no other test uses. */
	abstract Map<String, Object> database();

	/** What the application is made of. */
	Class<?>[] sources() {
		return new Class<?>[] { Application.class };
	}

	@BeforeAll
	void start() {
		start(database());
	}

	@BeforeEach
	void forget() {
		if (!this.context.isActive()) {
			start();
		}
		for (String table : List.of("idem_operation", "idem_transition", "idem_discrepancy", "idem_check")) {
			this.jdbc.sql("DELETE FROM " + table).update();
		}
		this.model.forget();
		this.payments.forget();
	}

	void start(Map<String, Object> properties) {
		this.context = new SpringApplicationBuilder(sources()).web(WebApplicationType.NONE)
			.properties("spring.application.name=cases", "spring.ai.model.chat=none", "spring.ai.openai.api-key=none",
					"spring.main.banner-mode=off", "spring.ai.tools.limits.max-calls-per-tool-default=-1",
					"spring.ai.mcp.client.enabled=false", "spring.ai.mcp.server.enabled=false",
					"spring.ai.mcp.client.annotation-scanner.enabled=false",
					"spring.ai.mcp.server.annotation-scanner.enabled=false")
			.properties(properties)
			.run();
		this.model = this.context.getBean(ScriptedChatModel.class);
		this.payments = this.context.getBean(Payments.class);
		this.store = this.context.getBean(OperationStore.class);
		this.jdbc = this.context.getBean(JdbcClient.class);
	}

	/** After this, the next test gets an application of its own. */
	@AfterAll
	void stop() {
		this.context.close();
	}

	String ask(Mode mode, String taskId) {
		return ask(mode, (request) -> request.toolContext(Map.of("task_id", taskId)));
	}

	String ask(Mode mode, Consumer<ChatClient.ChatClientRequestSpec> customizer) {
		return ask(mode, this.payments, customizer);
	}

	String ask(Mode mode, Object tools, Consumer<ChatClient.ChatClientRequestSpec> customizer) {
		ChatClient.ChatClientRequestSpec request = this.context.getBean(ChatClient.Builder.class)
			.build()
			.prompt("please")
			.tools(tools);
		customizer.accept(request);
		if (mode == Mode.CALL) {
			return String.valueOf(request.call().content());
		}
		List<String> parts = request.stream().content().collectList().block();
		return String.join("", (parts != null) ? parts : List.of());
	}

	/** A client of another model in the same application. */
	ChatClient clientOf(ScriptedChatModel other) {
		ChatClient.Builder builder = ChatClient.builder(other, ObservationRegistry.NOOP, null, null,
				this.context.getBean(ToolCallingAdvisor.Builder.class));
		this.context.getBean(IdempotentAdvisors.class).customize(builder);
		return builder.build();
	}

	/** What the model was told of the only call it made. */
	String answer() {
		List<ToolResponseMessage.ToolResponse> responses = this.model.lastToolResponses();
		assertThat(responses).hasSize(1);
		return responses.get(0).responseData();
	}

	long rows() {
		return this.jdbc.sql("SELECT count(*) FROM idem_operation").query(Long.class).single();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		ScriptedChatModel chatModel() {
			return new ScriptedChatModel();
		}

		@Bean
		Payments payments() {
			return new Payments();
		}

	}

}
