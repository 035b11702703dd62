package io.github.idem.tool;

import java.util.function.Supplier;

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

	private final Supplier<ToolProtection> protection;

	private final Supplier<IdempotentAdvisors> advisors;

	/**
	 * Create the post-processor. Each part is asked for when the first bean needs it.
	 * @param protection which tools are protected, and by what
	 * @param advisors the advisors of chat clients
	 */
	public ToolCallingPostProcessor(Supplier<ToolProtection> protection, Supplier<IdempotentAdvisors> advisors) {
		this.protection = protection;
		this.advisors = advisors;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (bean instanceof ToolCallingManager manager && !(bean instanceof IdempotentToolCallingManager)) {
			return new IdempotentToolCallingManager(manager, this.protection.get());
		}
		if (bean instanceof ToolCallbackResolver resolver && !(bean instanceof IdempotentToolCallbackResolver)) {
			return new IdempotentToolCallbackResolver(resolver, this.protection.get());
		}
		if (bean instanceof ChatClient.Builder builder) {
			this.advisors.get().customize(builder);
		}
		return bean;
	}

}
