package io.github.idem.autoconfigure;

import java.util.List;
import java.util.Map;

import io.github.idem.Idempotent;
import io.github.idem.IdempotencyException;
import io.github.idem.IdempotentCall;
import org.junit.jupiter.api.Test;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * With spring.main.lazy-initialization=true a bean is made when somebody asks for it.
 * Nobody asks for checks, so they must be there all the same.
 */
class LazyInitializationTest {

	private final ApplicationContextRunner withoutDataSource = new ApplicationContextRunner()
		.withInitializer(
				(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
		.withConfiguration(AutoConfigurations.of(ToolCallingAutoConfiguration.class, IdemStoreAutoConfiguration.class,
				IdemEngineAutoConfiguration.class, IdemToolAutoConfiguration.class));

	private final ApplicationContextRunner runner = this.withoutDataSource
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
		.withPropertyValues("spring.datasource.generate-unique-name=true");

	@Test
	void toolsAreProtected() {
		this.runner.withUserConfiguration(Application.class).run((context) -> {
			Payments payments = context.getBean(Payments.class);
			call(context, payments, "call_1");
			call(context, payments, "call_2");
			assertThat(payments.entered).isEqualTo(1);
		});
	}

	@Test
	void beansThatNobodyAskedForAreNotMade() {
		this.runner.withUserConfiguration(Application.class)
			.run((context) -> assertThat(
					context.getSourceApplicationContext().getBeanFactory().containsSingleton("payments"))
				.isFalse());
	}

	@Test
	void aProtectedToolWithoutAStoreStillStopsTheStart() {
		this.withoutDataSource.withUserConfiguration(Application.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(IdempotencyException.class)
				.hasMessageContaining("bean 'payments' (Payments.charge)"));
	}

	@Test
	void settingsThatMakeNoSenseStillStopTheStart() {
		this.runner.withUserConfiguration(Application.class)
			.withPropertyValues("idem.tools.charge.key=#nobody")
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("nobody"));
	}

	@Test
	void aStoreThatCannotBeUsedStillStopsTheStart() {
		this.runner.withUserConfiguration(Application.class)
			.withPropertyValues("idem.schema.mode=validate")
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining("bean 'payments'"));
	}

	@Test
	void claimsOfProcessesThatAreGoneAreStillLookedFor() {
		this.runner.run((context) -> assertThat(
				context.getSourceApplicationContext().getBeanFactory().containsSingleton("idemLeaseExpiry"))
			.isTrue());
	}

	private static void call(ApplicationContext context, Payments payments, String id) {
		AssistantMessage message = AssistantMessage.builder()
			.toolCalls(List.of(new AssistantMessage.ToolCall(id, "function", "charge", "{\"user\":\"u1\"}")))
			.build();
		ToolCallingChatOptions options = ToolCallingChatOptions.builder()
			.toolCallbacks(ToolCallbacks.from(payments))
			.toolContext(Map.of("task_id", "t1"))
			.build();
		context.getBean(ToolCallingManager.class)
			.executeToolCalls(new Prompt(List.of(new UserMessage("please")), options),
					new ChatResponse(List.of(new Generation(message))));
	}

	static final class Payments {

		private int entered;

		@Idempotent
		@Tool(description = "Charges a user")
		public String charge(String user) {
			this.entered++;
			return user + " charged as " + IdempotentCall.current().orElseThrow().requestId();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		@Bean
		Payments payments() {
			return new Payments();
		}

	}

}
