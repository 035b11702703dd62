package io.github.idem.tool;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import io.github.idem.IdempotencyException;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.method.MethodToolCallback;
import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.util.ReflectionUtils;

/**
 * The methods behind tools, and what a protected one must not be.
 */
final class ToolMethods {

	private static final Field TOOL_METHOD = field(MethodToolCallback.class, "toolMethod");

	private static final Field TOOL_OBJECT = field(MethodToolCallback.class, "toolObject");

	private static final Field TOOL_INPUT_TYPE = field(FunctionToolCallback.class, "toolInputType");

	private static final int MAX_DECORATORS = 16;

	/** The field in which a class keeps the one tool it decorates, if it does. */
	private static final Map<Class<?>, Optional<Field>> DECORATED = new ConcurrentReferenceHashMap<>();

	private ToolMethods() {
	}

	/**
	 * The tool behind decorators: objects that keep exactly one other tool, and go by its
	 * name. One that keeps a tool of another name may do something else with it.
	 * @return the innermost tool that can be seen, or the tool itself
	 */
	static ToolCallback undecorated(ToolCallback callback) {
		ToolCallback tool = callback;
		for (int depth = 0; depth < MAX_DECORATORS && !isInnermost(tool); depth++) {
			Field field = DECORATED.computeIfAbsent(tool.getClass(), ToolMethods::decoratedTool).orElse(null);
			ToolCallback decorated = (field != null) ? (ToolCallback) ReflectionUtils.getField(field, tool) : null;
			if (decorated == null || !decorated.getToolDefinition().name().equals(tool.getToolDefinition().name())) {
				break;
			}
			tool = decorated;
		}
		return tool;
	}

	private static boolean isInnermost(ToolCallback tool) {
		return tool instanceof MethodToolCallback || tool instanceof FunctionToolCallback
				|| tool instanceof IdempotentToolCallback;
	}

	private static Optional<Field> decoratedTool(Class<?> type) {
		List<Field> fields = new ArrayList<>();
		ReflectionUtils.doWithFields(type, fields::add, (field) -> !Modifier.isStatic(field.getModifiers())
				&& ToolCallback.class.isAssignableFrom(field.getType()));
		return (fields.size() == 1 && fields.get(0).trySetAccessible()) ? Optional.of(fields.get(0)) : Optional.empty();
	}

	/**
	 * The method of a tool. {@link MethodToolCallback} has no getter for it.
	 * @return the method, or {@code null} if the tool is none
	 */
	static @Nullable Method of(ToolCallback callback) {
		return (callback instanceof MethodToolCallback) ? (Method) ReflectionUtils.getField(TOOL_METHOD, callback)
				: null;
	}

	/**
	 * The type a function takes. {@link FunctionToolCallback} has no getter for it
	 * either.
	 * @return the type, or {@code null} if the tool is no function
	 */
	static @Nullable Type functionInput(ToolCallback callback) {
		return (callback instanceof FunctionToolCallback) ? (Type) ReflectionUtils.getField(TOOL_INPUT_TYPE, callback)
				: null;
	}

	/**
	 * Refuse a method whose effect could not be kept track of.
	 * @param toolObject what it is called on; {@code null} if that is not known yet, or
	 * the method is static
	 * @throws IdempotencyException if the method can't be protected; the message names it
	 * and the remedy
	 */
	static void requireProtectable(Method method, @Nullable Object toolObject) {
		Class<?> type = method.getReturnType();
		if (Publisher.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type)
				|| Future.class.isAssignableFrom(type)) {
			throw new IdempotencyException("""
					%s returns a %s: its effect would outlive the claim, and its result could not be recorded. \
					Wait for the result inside the method, for instance with block() or join(), and return that."""
				.formatted(describe(method), type.getSimpleName()));
		}
		if (toolObject != null && Proxy.isProxyClass(toolObject.getClass())
				&& !method.getDeclaringClass().isInstance(toolObject)) {
			throw new IdempotencyException("""
					%s cannot be called: its object is behind a JDK proxy, which has only the methods of interfaces. \
					Set spring.aop.proxy-target-class=true, or put @Tool and @Idempotent on a method of an interface."""
				.formatted(describe(method)));
		}
	}

	/** What a method tool is called on. */
	static @Nullable Object toolObject(ToolCallback callback, Method method) {
		return Modifier.isStatic(method.getModifiers()) ? null : ReflectionUtils.getField(TOOL_OBJECT, callback);
	}

	static String describe(Method method) {
		return method.getDeclaringClass().getSimpleName() + "." + method.getName();
	}

	private static Field field(Class<?> type, String name) {
		Field field = ReflectionUtils.findField(type, name);
		if (field == null) {
			throw new IllegalStateException(type.getSimpleName() + " has no field '" + name
					+ "' any more, so idem cannot tell which tools are protected: this version of Spring AI is not supported");
		}
		ReflectionUtils.makeAccessible(field);
		return field;
	}

}
