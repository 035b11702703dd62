package io.github.idem.tool;

import java.util.function.Supplier;

import io.github.idem.operation.IdempotentExecutor;

import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Puts idem before every {@link ToolCallingManager} bean. The beans stay what they were
 * built as, with their limits and exception processors.
 */
public final class ToolCallingManagerPostProcessor implements BeanPostProcessor {

	private final ToolPolicies policies = new ToolPolicies();

	private final Supplier<IdempotentExecutor> executor;

	/**
	 * Create the post-processor.
	 * @param executor the engine; asked for at the first protected call, and throws if
	 * there is none
	 */
	public ToolCallingManagerPostProcessor(Supplier<IdempotentExecutor> executor) {
		this.executor = executor;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof ToolCallingManager manager && !(bean instanceof IdempotentToolCallingManager)) {
			return new IdempotentToolCallingManager(manager, this.policies, this.executor);
		}
		return bean;
	}

}
