package io.github.idem.autoconfigure;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.github.idem.Idempotent;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Finds the beans that rely on {@code @Idempotent}, from their types alone: no bean is
 * created for it.
 */
final class IdempotentBeans {

	private IdempotentBeans() {
	}

	/**
	 * The beans with annotated methods.
	 * @return one entry a bean, as {@code bean 'name' (Type.method, Type.method)}
	 */
	static List<String> find(ConfigurableListableBeanFactory beanFactory) {
		List<String> found = new ArrayList<>();
		for (String name : beanFactory.getBeanNamesForType(Object.class, true, false)) {
			Class<?> type = beanFactory.getType(name, false);
			if (type == null || !AnnotationUtils.isCandidateClass(type, Idempotent.class)) {
				continue;
			}
			Class<?> userType = ClassUtils.getUserClass(type);
			String methods = MethodIntrospector.selectMethods(userType, IdempotentBeans::annotation)
				.keySet()
				.stream()
				.map((method) -> userType.getSimpleName() + "." + method.getName())
				.sorted()
				.collect(Collectors.joining(", "));
			if (!methods.isEmpty()) {
				found.add("bean '%s' (%s)".formatted(name, methods));
			}
		}
		return found;
	}

	private static @Nullable Idempotent annotation(Method method) {
		return AnnotatedElementUtils.findMergedAnnotation(method, Idempotent.class);
	}

}
