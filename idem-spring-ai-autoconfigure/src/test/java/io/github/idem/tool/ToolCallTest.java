package io.github.idem.tool;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.github.idem.operation.OperationStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A small application with idem in it, on a database that the subclass names.
 */
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

	@BeforeEach
	void start() {
		start(database());
	}

	void start(Map<String, Object> properties) {
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("spring.application.name=cases", "spring.ai.model.chat=none", "spring.ai.openai.api-key=none",
					"spring.main.banner-mode=off", "spring.ai.tools.limits.max-calls-per-tool-default=-1")
			.properties(properties)
			.run();
		this.model = this.context.getBean(ScriptedChatModel.class);
		this.payments = this.context.getBean(Payments.class);
		this.store = this.context.getBean(OperationStore.class);
		this.jdbc = this.context.getBean(JdbcClient.class);
	}

	@AfterEach
	void stop() {
		this.context.close();
	}

	String ask(Mode mode, String taskId) {
		return ask(mode, (request) -> request.toolContext(Map.of("task_id", taskId)));
	}

	String ask(Mode mode, Consumer<ChatClient.ChatClientRequestSpec> customizer) {
		ChatClient.ChatClientRequestSpec request = this.context.getBean(ChatClient.Builder.class)
			.build()
			.prompt("please")
			.tools(this.payments);
		customizer.accept(request);
		if (mode == Mode.CALL) {
			return String.valueOf(request.call().content());
		}
		List<String> parts = request.stream().content().collectList().block();
		return String.join("", (parts != null) ? parts : List.of());
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
