package io.github.idem.tool;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.idem.Idempotent;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.tool.annotation.Tool;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Beans with tool methods, found from their types alone: no bean is created for it.
 */
public final class ToolBeans {

	private final ConfigurableListableBeanFactory beanFactory;

	/**
	 * Look in a bean factory.
	 * @param beanFactory where the beans are
	 */
	public ToolBeans(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * The beans that rely on {@link Idempotent}.
	 * @return them, in the order they were defined
	 */
	public List<ToolBean> idempotent() {
		return annotatedWith(Idempotent.class);
	}

	/** The beans that have tools, protected or not. */
	List<ToolBean> tools() {
		return annotatedWith(Tool.class);
	}

	/** The bean itself, if it was created already. */
	@Nullable Object existing(ToolBean bean) {
		return existing(bean.name());
	}

	/** The beans of a type that were created already, by name. */
	<T> Map<String, T> existing(Class<T> type) {
		Map<String, T> found = new LinkedHashMap<>();
		for (String name : this.beanFactory.getBeanNamesForType(type, false, false)) {
			Object bean = existing(name);
			if (type.isInstance(bean)) {
				found.put(name, type.cast(bean));
			}
		}
		return found;
	}

	/** The bean itself, if it was created already. */
	@Nullable Object existing(String name) {
		return this.beanFactory.containsSingleton(name) ? this.beanFactory.getSingleton(name) : null;
	}

	/** The class a developer wrote, behind whatever proxies. */
	private @Nullable Class<?> userType(String name) {
		Object existing = existing(name);
		Class<?> type = (existing != null) ? AopUtils.getTargetClass(existing)
				: AutoProxyUtils.determineTargetClass(this.beanFactory, name);
		return (type != null) ? ClassUtils.getUserClass(type) : null;
	}

	private List<ToolBean> annotatedWith(Class<? extends Annotation> annotation) {
		List<ToolBean> found = new ArrayList<>();
		for (String name : this.beanFactory.getBeanNamesForType(Object.class, true, false)) {
			Class<?> type = userType(name);
			if (type == null || !AnnotationUtils.isCandidateClass(type, annotation)) {
				continue;
			}
			Set<Method> methods = MethodIntrospector.selectMethods(type,
					(Method method) -> AnnotatedElementUtils.hasAnnotation(method, annotation));
			if (!methods.isEmpty()) {
				found.add(new ToolBean(name, methods.stream().sorted(Comparator.comparing(Method::getName)).toList()));
			}
		}
		return found;
	}

	/**
	 * A bean and those of its methods that were looked for.
	 *
	 * @param name the bean's name
	 * @param methods its methods, at least one
	 */
	public record ToolBean(String name, List<Method> methods) {

		public ToolBean {
			methods = List.copyOf(methods);
		}

		/** The bean with its methods, as a message names it. */
		@Override
		public String toString() {
			return "bean '%s' (%s)".formatted(this.name,
					this.methods.stream().map(ToolMethods::describe).collect(Collectors.joining(", ")));
		}

	}

}
