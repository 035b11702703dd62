package io.github.idem.tool;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Set;

import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.util.ReflectionUtils;

/** The places in Spring AI where idem stands. */
enum Hook {

	OUTSIDE_THE_LOOP("advisor outside the tool loop"), INSIDE_THE_LOOP("observer inside it"),
	MANAGER("manager decorator"), RESOLVER("resolver decorator");

	private final String description;

	Hook(String description) {
		this.description = description;
	}

	@Override
	public String toString() {
		return this.description;
	}

	/**
	 * Takes hooks out of an application again, to see what was held by them. Runs after
	 * all ordinary post-processors.
	 */
	record Remover(Set<Hook> hooks) implements MergedBeanDefinitionPostProcessor {

		@Override
		public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String name) {
		}

		@Override
		public Object postProcessAfterInitialization(Object bean, String name) {
			boolean removed = (bean instanceof IdempotentToolCallingManager && this.hooks.contains(MANAGER))
					|| (bean instanceof IdempotentToolCallbackResolver && this.hooks.contains(RESOLVER));
			if (bean instanceof IdempotentAdvisors) {
				Field advisors = field(bean, "advisors");
				Advisor[] all = (Advisor[]) ReflectionUtils.getField(advisors, bean);
				ReflectionUtils.setField(advisors, bean,
						Arrays.stream(all).filter((advisor) -> !removes(advisor)).toArray(Advisor[]::new));
			}
			return removed ? ReflectionUtils.getField(field(bean, "delegate"), bean) : bean;
		}

		private static Field field(Object bean, String name) {
			Field field = ReflectionUtils.findField(bean.getClass(), name);
			ReflectionUtils.makeAccessible(field);
			return field;
		}

		private boolean removes(Advisor advisor) {
			return (advisor instanceof ToolLoopAdvisor && this.hooks.contains(OUTSIDE_THE_LOOP))
					|| (advisor instanceof ToolLoopObserver && this.hooks.contains(INSIDE_THE_LOOP));
		}

	}

}
