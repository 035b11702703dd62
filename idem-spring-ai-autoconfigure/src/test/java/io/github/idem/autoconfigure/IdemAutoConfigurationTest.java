package io.github.idem.autoconfigure;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import javax.sql.DataSource;

import io.github.idem.Downstream;
import io.github.idem.Idempotent;
import io.github.idem.IdempotencyException;
import io.github.idem.identity.CallIdentity;
import io.github.idem.operation.ClaimRequest;
import io.github.idem.operation.IdempotentExecutor;
import io.github.idem.operation.OperationStore;
import io.github.idem.recovery.LeaseExpiry;
import io.github.idem.tool.IdempotentAdvisors;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.model.chat.client.autoconfigure.ChatClientAutoConfiguration;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.aop.framework.AbstractAdvisingBeanPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/** What is there under which condition, and what a developer reads when it can't be. */
@ExtendWith(OutputCaptureExtension.class)
class IdemAutoConfigurationTest {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ToolCallingAutoConfiguration.class, DataSourceAutoConfiguration.class,
				IdemStoreAutoConfiguration.class, IdemEngineAutoConfiguration.class, IdemToolAutoConfiguration.class))
		.withPropertyValues("spring.datasource.generate-unique-name=true");

	@Test
	void aDependencyAndAnAnnotationAreEnough() {
		this.runner.withUserConfiguration(AnnotatedTools.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(OperationStore.class)
				.hasSingleBean(IdempotentExecutor.class)
				.hasSingleBean(LeaseExpiry.class)
				.hasSingleBean(IdempotentAdvisors.class)
				.hasSingleBean(ToolCallingManager.class));
	}

	@Test
	void switchedOffThereIsNothing() {
		this.runner.withUserConfiguration(AnnotatedTools.class)
			.withPropertyValues("idem.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(OperationStore.class)
				.doesNotHaveBean(IdempotentExecutor.class)
				.doesNotHaveBean(IdempotentAdvisors.class));
	}

	@Test
	void withoutADataSourceAnAnnotatedBeanFailsTheStartAndIsNamed() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(ToolCallingAutoConfiguration.class, IdemStoreAutoConfiguration.class,
							IdemEngineAutoConfiguration.class, IdemToolAutoConfiguration.class))
			.withUserConfiguration(AnnotatedTools.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(IdempotencyException.class)
				.hasMessageContaining("bean 'annotatedTools' (Tools.charge)")
				.hasMessageContaining("DataSource")
				.hasMessageContaining("idem.enabled=false"));
	}

	@Test
	void noToolCallingManagerBeanIsNeededSinceTheAdvisorsReachTheToolsToo() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(DataSourceAutoConfiguration.class, IdemStoreAutoConfiguration.class,
							IdemEngineAutoConfiguration.class, IdemToolAutoConfiguration.class))
			.withPropertyValues("spring.datasource.generate-unique-name=true")
			.withUserConfiguration(AnnotatedTools.class)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(ToolCallingManager.class));
	}

	@Test
	void anIntervalThatIsNotPositiveFailsTheStart() {
		this.runner.withPropertyValues("idem.recovery.interval=0s")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("idem.recovery.interval"));
	}

	@Test
	void withoutADataSourceAnApplicationWithoutAnnotatedBeansStarts() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(ToolCallingAutoConfiguration.class, IdemStoreAutoConfiguration.class,
							IdemEngineAutoConfiguration.class, IdemToolAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(IdempotentExecutor.class));
	}

	@Test
	void anUnknownDatabaseFailsTheStartAndIsNamed() {
		this.runner.withUserConfiguration(AnnotatedTools.class, UnknownDatabase.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("Paradox")
				.hasMessageContaining("PostgreSQL"));
	}

	@Test
	void anUnknownDatabaseFailureNamesTheAnnotatedBean() {
		this.runner.withUserConfiguration(AnnotatedTools.class, UnknownDatabase.class)
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("bean 'annotatedTools' (Tools.charge)"));
	}

	@Test
	void aMissingSchemaFailsTheStartWhereItIsOnlyValidated() {
		this.runner.withUserConfiguration(AnnotatedTools.class)
			.withPropertyValues("idem.schema.mode=validate")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("bean 'annotatedTools' (Tools.charge)")
				.hasStackTraceContaining("idem.schema.mode"));
	}

	@Test
	void anOwnStoreTakesThePlaceOfOurs() {
		OperationStore own = mock(OperationStore.class);
		this.runner.withBean("ownStore", OperationStore.class, () -> own)
			.run((context) -> assertThat(context).hasNotFailed().getBean(OperationStore.class).isSameAs(own));
	}

	@Test
	void aVolatileStoreIsReported(CapturedOutput output) {
		this.runner.run((context) -> assertThat(output).contains("in-memory database"));
	}

	@Test
	void aVolatileStoreCanBeAllowed(CapturedOutput output) {
		this.runner.withPropertyValues("idem.store.volatile=allow")
			.run((context) -> assertThat(output).doesNotContain("in-memory database"));
	}

	@Test
	void aVolatileStoreCanFailTheStart() {
		this.runner.withPropertyValues("idem.store.volatile=fail")
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining("in-memory database"));
	}

	@Test
	void aLeaseThatIsNotPositiveFailsTheStart() {
		this.runner.withPropertyValues("idem.lease=0s")
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining("idem.lease must be positive"));
	}

	@Test
	void twoApplicationsInOneDatabaseHaveTheirOwnNamespace() {
		this.runner.withPropertyValues("spring.application.name=shop", "idem.namespace=till")
			.run((context) -> assertThat(context.getBean(OperationStore.class)
				.claim(new ClaimRequest(CallIdentity.of("t", "c", "charge", "f"), null, null, Downstream.OPAQUE, "{}",
						"me", Duration.ofMinutes(1)))
				.operation()
				.namespace()).isEqualTo("till"));
	}

	@Test
	void aKeyThatMakesNoSenseFailsTheStartAndIsNamed() {
		this.runner.withBean("till", WrongKey.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("@Idempotent on bean 'till' (WrongKey.charge)")
				.hasMessageContaining("[usr]")
				.hasMessageContaining("[user]"));
	}

	@Test
	void aToolThatReturnsBeforeItsEffectFailsTheStart() {
		for (Class<?> type : List.of(ReturnsMono.class, ReturnsFuture.class)) {
			this.runner.withBean("till", type)
				.run((context) -> assertThat(context).getFailure()
					.hasMessageContaining("@Idempotent on bean 'till' (%s.charge)".formatted(type.getSimpleName()))
					.hasMessageContaining("would outlive the claim")
					.hasMessageContaining("join()"));
		}
	}

	@Test
	void aToolBehindAJdkProxyFailsTheStart() {
		this.runner.withBean("till", Till.class)
			.withBean(Aspect.class)
			.withPropertyValues("spring.aop.proxy-target-class=false")
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("@Idempotent on bean 'till' (Till.charge)")
				.hasMessageContaining("JDK proxy")
				.hasMessageContaining("spring.aop.proxy-target-class=true"));
	}

	@Test
	void aToolBehindASubclassProxyWorks() {
		this.runner.withBean("till", Till.class)
			.withBean(Aspect.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void anAnnotationOnAMethodThatIsNoToolIsReported(CapturedOutput output) {
		this.runner.withBean("till", NoTool.class)
			.run((context) -> assertThat(output)
				.contains("@Idempotent on bean 'till' (NoTool.charge) has no effect unless the method is made a tool"));
	}

	@Test
	void aChatClientThatIsOutOfReachIsNamed(CapturedOutput output) {
		ChatModel model = mock(ChatModel.class);
		given(model.getOptions()).willReturn(ToolCallingChatOptions.builder().build());
		this.runner.withConfiguration(AutoConfigurations.of(ChatClientAutoConfiguration.class))
			.withBean(ChatModel.class, () -> model)
			.withUserConfiguration(Clients.class)
			.run((context) -> assertThat(output).contains("ChatClient bean 'static' was not built from the")
				.doesNotContain("ChatClient bean 'built'"));
	}

	@Test
	void aSettingForAToolThatDoesNotExistIsReportedWithTheNearestName(CapturedOutput output) {
		this.runner.withUserConfiguration(AnnotatedTools.class)
			.withPropertyValues("idem.tools.chrage.duplicates=allow", "idem.tools.charge.duplicates=allow")
			.run((context) -> assertThat(output).contains("idem.tools.chrage: no bean has a tool of this name")
				.contains("the nearest is 'charge'")
				.doesNotContain("idem.tools.charge:"));
	}

	static DataSource unknownDatabase() throws SQLException {
		DatabaseMetaData metaData = mock(DatabaseMetaData.class);
		given(metaData.getDatabaseProductName()).willReturn("Paradox");
		given(metaData.getURL()).willReturn("jdbc:paradox:x");
		Connection connection = mock(Connection.class);
		given(connection.getMetaData()).willReturn(metaData);
		DataSource dataSource = mock(DataSource.class);
		given(dataSource.getConnection()).willReturn(connection);
		return dataSource;
	}

	@Configuration(proxyBeanMethods = false)
	static class Clients {

		@Bean("static")
		ChatClient outOfReach(ChatModel model) {
			return ChatClient.create(model);
		}

		@Bean
		ChatClient built(ChatClient.Builder builder) {
			return builder.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class UnknownDatabase {

		@Bean
		DataSource dataSource() throws SQLException {
			return unknownDatabase();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AnnotatedTools {

		@Bean("annotatedTools")
		Tools tools() {
			return new Tools();
		}

	}

	static class Tools {

		@Idempotent
		@Tool(description = "Charges")
		String charge(String user) {
			return "charged " + user;
		}

	}

	static class WrongKey {

		@Idempotent(key = "#usr")
		@Tool(description = "Charges")
		String charge(String user) {
			return "charged " + user;
		}

	}

	static class NoTool {

		@Idempotent
		String charge(String user) {
			return "charged " + user;
		}

	}

	static class ReturnsMono {

		@Idempotent
		@Tool(description = "Charges")
		Mono<String> charge(String user) {
			return Mono.just("charged " + user);
		}

	}

	static class ReturnsFuture {

		@Idempotent
		@Tool(description = "Charges")
		CompletableFuture<String> charge(String user) {
			return CompletableFuture.completedFuture("charged " + user);
		}

	}

	interface Named {

		String name();

	}

	static class Till implements Named {

		@Override
		public String name() {
			return "till";
		}

		@Idempotent
		@Tool(description = "Charges")
		public String charge(String user) {
			return "charged " + user;
		}

	}

	static class Aspect extends AbstractAdvisingBeanPostProcessor {

		private static final long serialVersionUID = 1L;

		Aspect(Environment environment) {
			setProxyTargetClass(environment.getProperty("spring.aop.proxy-target-class", boolean.class, true));
			this.advisor = new DefaultPointcutAdvisor(new StaticMethodMatcherPointcut() {
				@Override
				public boolean matches(Method method, Class<?> type) {
					return Named.class.isAssignableFrom(type);
				}
			}, (MethodInterceptor) MethodInvocation::proceed);
		}

	}

}
