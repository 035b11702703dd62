package io.github.idem.tool;

import java.util.function.Supplier;

import io.github.idem.operation.IdempotentExecutor;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.tool.resolution.ToolCallbackResolver;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Puts idem before every {@link ToolCallingManager} and {@link ToolCallbackResolver}
 * bean, and its advisors into every {@link ChatClient.Builder} bean. The beans stay what
 * they were built as, with their limits and exception processors.
 */
public final class ToolCallingPostProcessor implements BeanPostProcessor {

	private final Supplier<ToolPolicies> policies;

	private final Supplier<IdempotentExecutor> executor;

	private final Supplier<IdempotentAdvisors> advisors;

	/**
	 * Create the post-processor. Each part is asked for when the first bean needs it.
	 * @param policies which tools are protected
	 * @param executor the engine; asked for at the first protected call, and throws if
	 * there is none
	 * @param advisors the advisors of chat clients
	 */
	public ToolCallingPostProcessor(Supplier<ToolPolicies> policies, Supplier<IdempotentExecutor> executor,
			Supplier<IdempotentAdvisors> advisors) {
		this.policies = policies;
		this.executor = executor;
		this.advisors = advisors;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof ToolCallingManager manager && !(bean instanceof IdempotentToolCallingManager)) {
			return new IdempotentToolCallingManager(manager, this.policies.get(), this.executor);
		}
		if (bean instanceof ToolCallbackResolver resolver && !(bean instanceof IdempotentToolCallbackResolver)) {
			return new IdempotentToolCallbackResolver(resolver, this.policies.get(), this.executor);
		}
		if (bean instanceof ChatClient.Builder builder) {
			this.advisors.get().customize(builder);
		}
		return bean;
	}

}
