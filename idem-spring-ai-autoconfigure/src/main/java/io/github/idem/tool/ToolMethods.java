package io.github.idem.tool;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import io.github.idem.IdempotencyException;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.execution.ToolCallResultConverter;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.method.MethodToolCallback;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.util.ReflectionUtils;

/**
 * The methods behind tools, and what a protected one must not be.
 */
final class ToolMethods {

	private static final Field TOOL_METHOD = field(MethodToolCallback.class, "toolMethod");

	private static final Field TOOL_OBJECT = field(MethodToolCallback.class, "toolObject");

	private static final Field TOOL_INPUT_TYPE = field(FunctionToolCallback.class, "toolInputType");

	private static final Field TOOL_FUNCTION = field(FunctionToolCallback.class, "toolFunction");

	private static final Field METHOD_CONVERTER = field(MethodToolCallback.class, "toolCallResultConverter");

	private static final Field FUNCTION_CONVERTER = field(FunctionToolCallback.class, "toolCallResultConverter");

	private static final List<String> ASYNC = List.of("org.springframework.scheduling.annotation.Async",
			"jakarta.ejb.Asynchronous", "jakarta.enterprise.concurrent.Asynchronous");

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

	/** What a function tool calls, which has no getter either. */
	@SuppressWarnings("unchecked")
	static BiFunction<@Nullable Object, @Nullable ToolContext, Object> function(ToolCallback callback) {
		return (BiFunction<@Nullable Object, @Nullable ToolContext, Object>) read(TOOL_FUNCTION, callback);
	}

	/** What makes text of the results of a method or function. */
	static ToolCallResultConverter resultConverter(ToolCallback callback) {
		return (ToolCallResultConverter) read(
				(callback instanceof MethodToolCallback) ? METHOD_CONVERTER : FUNCTION_CONVERTER, callback);
	}

	/**
	 * Refuse a tool whose effect could not be kept track of.
	 * @throws IdempotencyException if it can't be protected; the message names it and the
	 * remedy
	 */
	static void requireProtectable(ToolCallback callback) {
		Method method = of(callback);
		if (method != null) {
			requireProtectable(method, toolObject(callback, method));
		}
		else if (callback instanceof FunctionToolCallback) {
			requireResult(callback, ResolvableType.forInstance(function(callback)).as(BiFunction.class).getGeneric(2));
		}
	}

	/** Refuse a function that is declared to give a result that is made later. */
	static void requireResult(ToolCallback callback, ResolvableType declared) {
		requireResult("Tool '" + callback.getToolDefinition().name() + "'", declared);
	}

	private static void requireResult(String tool, ResolvableType declared) {
		Class<?> later = Deferred.in(declared);
		if (later != null) {
			throw new IdempotencyException("""
					%s returns a %s: its effect would outlive the claim, and its result could not be recorded. \
					Wait for the result inside the method, for instance with block() or join(), and return that."""
				.formatted(tool, later.getSimpleName()));
		}
	}

	/**
	 * Refuse a method whose effect could not be kept track of.
	 * @param toolObject what it is called on; {@code null} if that is not known yet, or
	 * the method is static
	 * @throws IdempotencyException if the method can't be protected; the message names it
	 * and the remedy
	 */
	static void requireProtectable(Method method, @Nullable Object toolObject) {
		Class<?> type = (toolObject != null) ? AopUtils.getTargetClass(toolObject) : method.getDeclaringClass();
		if (isAsync(method, type)) {
			throw new IdempotencyException("""
					%s is @Async: it returns before anything is done, so its effect would outlive the claim, and a \
					failure of it would go unseen. Remove @Async from the method and its class."""
				.formatted(describe(method)));
		}
		if (isSuspending(method)) {
			throw new IdempotencyException(
					"""
							%s is a suspend function: its effect would outlive the claim, and its result could not be recorded. \
							Make it a plain function, wait for the result inside it, for instance with runBlocking, and return that."""
						.formatted(describe(method)));
		}
		requireResult(describe(method), ResolvableType.forMethodReturnType(method, type));
		if (toolObject != null && Proxy.isProxyClass(toolObject.getClass())
				&& !method.getDeclaringClass().isInstance(toolObject)) {
			throw new IdempotencyException("""
					%s cannot be called: its object is behind a JDK proxy, which has only the methods of interfaces. \
					Set spring.aop.proxy-target-class=true, or put @Tool and @Idempotent on a method of an interface."""
				.formatted(describe(method)));
		}
	}

	private static boolean isAsync(Method method, Class<?> type) {
		return Stream.of(AopUtils.getMostSpecificMethod(method, type), type, method.getDeclaringClass())
			.map((element) -> MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY))
			.anyMatch((annotations) -> ASYNC.stream().anyMatch(annotations::isPresent));
	}

	private static boolean isSuspending(Method method) {
		Class<?>[] parameters = method.getParameterTypes();
		return parameters.length > 0
				&& parameters[parameters.length - 1].getName().equals("kotlin.coroutines.Continuation");
	}

	/** What a method tool is called on. */
	static @Nullable Object toolObject(ToolCallback callback, Method method) {
		return Modifier.isStatic(method.getModifiers()) ? null : ReflectionUtils.getField(TOOL_OBJECT, callback);
	}

	static String describe(Method method) {
		return method.getDeclaringClass().getSimpleName() + "." + method.getName();
	}

	private static Object read(Field field, ToolCallback callback) {
		return Objects.requireNonNull(ReflectionUtils.getField(field, callback), field::getName);
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
