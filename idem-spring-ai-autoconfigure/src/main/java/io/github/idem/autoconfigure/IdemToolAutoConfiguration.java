package io.github.idem.autoconfigure;

import io.github.idem.ContextRestorer;
import io.github.idem.IdempotencyException;
import io.github.idem.OutcomeProbe;
import io.github.idem.TaskIdResolver;
import io.github.idem.operation.IdempotentExecutor;
import io.github.idem.operation.ToolRegistry;
import io.github.idem.operation.TransactionalStore;
import io.github.idem.tool.BackgroundTools;
import io.github.idem.tool.DeferredResults;
import io.github.idem.tool.EffectPolicies;
import io.github.idem.tool.IdempotentAdvisors;
import io.github.idem.tool.KnownTools;
import io.github.idem.tool.ToolBeans;
import io.github.idem.tool.ToolCallingPostProcessor;
import io.github.idem.tool.ToolCheck;
import io.github.idem.tool.ToolLint;
import io.github.idem.tool.ToolPolicies;
import io.github.idem.tool.ToolProtection;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.augment.AugmentedToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.method.MethodToolCallback;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;

/**
 * Spring AI: names the task of each chat request and stands before the tool calling
 * managers. Does not depend on a store being there: a protected tool without one is an
 * error, not an unprotected tool.
 */
@AutoConfiguration(after = IdemEngineAutoConfiguration.class)
@ConditionalOnClass(ChatClient.class)
@ConditionalOnProperty(name = "idem.enabled", havingValue = "true", matchIfMissing = true)
@ImportRuntimeHints(IdemToolAutoConfiguration.Hints.class)
public final class IdemToolAutoConfiguration {

	private static final String NO_STORE = "no DataSource bean was found; the starter brings H2, so check why"
			+ " none was auto-configured, or define one, or an OperationStore bean";

	@Bean
	EffectPolicies idemEffectPolicies(IdemProperties properties, ConfigurableListableBeanFactory beanFactory,
			ObjectProvider<TransactionalStore> transactional) {
		return new EffectPolicies(properties.defaults().downstream(), properties.defaults().effect(),
				() -> beanFactory.getBeansOfType(OutcomeProbe.class, true, false),
				() -> beanFactory.containsBean("idemRestClientCustomizer")
						|| beanFactory.containsBean("idemWebClientCustomizer"),
				() -> joinsTransactions(transactional));
	}

	/**
	 * The sentence that matters, without what Spring says about the bean it came from.
	 */
	private static boolean joinsTransactions(ObjectProvider<TransactionalStore> transactional) {
		try {
			return transactional.getIfAvailable() != null;
		}
		catch (BeansException ex) {
			if (ex.getMostSpecificCause() instanceof IdempotencyException cause) {
				throw cause;
			}
			throw ex;
		}
	}

	@Bean
	ToolPolicies idemToolPolicies(IdemProperties properties, EffectPolicies effects) {
		return new ToolPolicies(properties.tools(), effects);
	}

	@Bean
	ToolRegistry idemBackgroundTools(ConfigurableListableBeanFactory beanFactory, KnownTools tools,
			ToolPolicies policies, EffectPolicies effects, ObjectProvider<IdempotentExecutor> executor,
			ObjectProvider<ContextRestorer> restorer) {
		return new BackgroundTools(new ToolBeans(beanFactory), tools, policies, effects, executor::getObject,
				restorer::getIfAvailable);
	}

	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	DeferredResults idemDeferredResults() {
		return new DeferredResults();
	}

	@Bean
	ToolProtection idemToolProtection(ToolPolicies policies, ObjectProvider<IdempotentExecutor> executor,
			ConfigurableListableBeanFactory beanFactory) {
		return new ToolProtection(policies, () -> executor.getIfAvailable(() -> failWithoutStore(beanFactory)));
	}

	/**
	 * Directly outside the advisor that Spring AI adds for the tool loop, wherever that
	 * stands.
	 */
	@Bean
	IdempotentAdvisors idemAdvisors(ObjectProvider<TaskIdResolver> resolver, IdemProperties properties,
			ToolProtection protection, ObjectProvider<ToolCallingAdvisor.Builder<?>> toolCallingAdvisor) {
		ToolCallingAdvisor.Builder<?> configured = toolCallingAdvisor.getIfAvailable();
		return new IdempotentAdvisors(resolver.getIfAvailable(), properties.taskId().required(), protection,
				(configured != null) ? configured.getAdvisorOrder() : ToolCallingAdvisor.DEFAULT_ORDER);
	}

	@Bean
	static ToolCallingPostProcessor idemToolCallingPostProcessor(ObjectProvider<ToolProtection> protection,
			ObjectProvider<IdempotentAdvisors> advisors) {
		return new ToolCallingPostProcessor(protection::getObject, advisors::getObject);
	}

	@Bean
	KnownTools idemKnownTools(ConfigurableListableBeanFactory beanFactory, ObjectProvider<ToolCallback> callbacks,
			ObjectProvider<ToolCallbackProvider> providers) {
		return new KnownTools(new ToolBeans(beanFactory), callbacks, providers);
	}

	@Bean
	ToolCheck idemToolCheck(ConfigurableListableBeanFactory beanFactory, KnownTools tools, ToolPolicies policies) {
		return new ToolCheck(new ToolBeans(beanFactory), tools, policies,
				(bean) -> beanFactory.containsBeanDefinition(bean)
						? beanFactory.getMergedBeanDefinition(bean).getResolvableType() : ResolvableType.NONE);
	}

	@Bean
	ToolLint idemToolLint(KnownTools tools, ToolPolicies policies, IdemProperties properties) {
		return new ToolLint(tools, policies, properties.lint());
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

	private static IdempotentExecutor failWithoutStore(ConfigurableListableBeanFactory beanFactory) {
		throw UnusableStoreException.of(new ToolBeans(beanFactory).idempotent(), NO_STORE);
	}

	/** What tools are made of, which Spring AI has no getters for. */
	static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.reflection()
				.registerType(MethodToolCallback.class,
						(type) -> type.withField("toolMethod")
							.withField("toolObject")
							.withField("toolCallResultConverter"));
			hints.reflection()
				.registerType(FunctionToolCallback.class,
						(type) -> type.withField("toolInputType")
							.withField("toolFunction")
							.withField("toolCallResultConverter"));
			hints.reflection().registerType(AugmentedToolCallback.class, (type) -> type.withField("delegate"));
		}

	}

}
