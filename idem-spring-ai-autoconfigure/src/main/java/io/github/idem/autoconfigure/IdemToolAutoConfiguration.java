package io.github.idem.autoconfigure;

import java.util.function.Supplier;

import io.github.idem.TaskIdResolver;
import io.github.idem.operation.IdempotentExecutor;
import io.github.idem.tool.IdempotentAdvisors;
import io.github.idem.tool.ToolBeans;
import io.github.idem.tool.ToolCallingPostProcessor;
import io.github.idem.tool.ToolCheck;
import io.github.idem.tool.ToolPolicies;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/**
 * Spring AI: names the task of each chat request and stands before the tool calling
 * managers. Does not depend on a store being there: a protected tool without one is an
 * error, not an unprotected tool.
 */
@AutoConfiguration(after = IdemEngineAutoConfiguration.class)
@ConditionalOnClass(ChatClient.class)
@ConditionalOnProperty(name = "idem.enabled", havingValue = "true", matchIfMissing = true)
public final class IdemToolAutoConfiguration {

	private static final String NO_STORE = "no DataSource bean was found; the starter brings H2, so check why"
			+ " none was auto-configured, or define one, or an OperationStore bean";

	@Bean
	ToolPolicies idemToolPolicies(IdemProperties properties) {
		return new ToolPolicies(properties.tools());
	}

	/**
	 * Directly outside the advisor that Spring AI adds for the tool loop, wherever that
	 * stands.
	 */
	@Bean
	IdempotentAdvisors idemAdvisors(ObjectProvider<TaskIdResolver> resolver, IdemProperties properties,
			ToolPolicies policies, ObjectProvider<IdempotentExecutor> executor,
			ConfigurableListableBeanFactory beanFactory,
			ObjectProvider<ToolCallingAdvisor.Builder<?>> toolCallingAdvisor) {
		ToolCallingAdvisor.Builder<?> configured = toolCallingAdvisor.getIfAvailable();
		return new IdempotentAdvisors(resolver.getIfAvailable(), properties.taskId().required(), policies,
				required(executor, beanFactory),
				(configured != null) ? configured.getAdvisorOrder() : ToolCallingAdvisor.DEFAULT_ORDER);
	}

	@Bean
	static ToolCallingPostProcessor idemToolCallingPostProcessor(ObjectProvider<ToolPolicies> policies,
			ObjectProvider<IdempotentExecutor> executor, ObjectProvider<IdempotentAdvisors> advisors,
			ConfigurableListableBeanFactory beanFactory) {
		return new ToolCallingPostProcessor(policies::getObject, required(executor, beanFactory), advisors::getObject);
	}

	@Bean
	ToolCheck idemToolCheck(ConfigurableListableBeanFactory beanFactory, ObjectProvider<ToolCallback> callbacks,
			ToolPolicies policies) {
		return new ToolCheck(new ToolBeans(beanFactory), callbacks, policies);
	}

	@Bean
	SmartInitializingSingleton idemStoreCheck(ObjectProvider<IdempotentExecutor> executor,
			ConfigurableListableBeanFactory beanFactory) {
		return () -> {
			if (executor.getIfAvailable() == null && !new ToolBeans(beanFactory).idempotent().isEmpty()) {
				failWithoutStore(beanFactory);
			}
		};
	}

	private static Supplier<IdempotentExecutor> required(ObjectProvider<IdempotentExecutor> executor,
			ConfigurableListableBeanFactory beanFactory) {
		return () -> executor.getIfAvailable(() -> failWithoutStore(beanFactory));
	}

	private static IdempotentExecutor failWithoutStore(ConfigurableListableBeanFactory beanFactory) {
		throw UnusableStoreException.of(new ToolBeans(beanFactory).idempotent(), NO_STORE);
	}

}
