package io.github.idem.tool;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Function;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.method.MethodToolCallback;
import org.springframework.ai.tool.method.MethodToolCallbackProvider;
import org.springframework.ai.tool.support.ToolDefinitions;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.util.ReflectionUtils;

/** Doors that lie in what the tool is. */
final class ToolDoors {

	private ToolDoors() {
	}

	static List<Door> all() {
		return List.of(door("`@Tool` on a bean", ToolDoors::bean),
				door("`@Tool` on a plain object", (visit) -> new Till.Tools()),
				door("`@Tool` without a `ToolContext`", (visit) -> new Till.WithoutContext(visit.till())),
				door("`@Tool` behind a CGLIB proxy", (visit) -> proxy(new Till.Tools())),
				door("`@Tool` on a static method", (visit) -> callback(Till.Static.class, null)),
				door("`@Tool` on a method that a subclass overrides", (visit) -> new Till.Overriding()),
				door("`@Tool` on a method that a subclass inherits",
						(visit) -> callback(Till.Tools.class, new Till.Inheriting())),
				door("`@Tool` on a method of an interface", (visit) -> new Till.Implementing()),
				door("`@Tool` on a default method of an interface", (visit) -> new Till.Defaulting()),
				door("`@Tool` on a method of an interface, behind a CGLIB proxy",
						(visit) -> proxy(new Till.Implementing())),
				door("a `ToolCallback` made of a method", (visit) -> ToolCallbacks.from(new Till.Tools())),
				door("a `ToolCallbackProvider`",
						(visit) -> MethodToolCallbackProvider.builder().toolObjects(new Till.Tools()).build()),
				door("a `ToolCallbackProvider` of your own",
						(visit) -> ToolCallbackProvider.from(ToolCallbacks.from(new Till.Tools()))),
				Door.of("a `FunctionToolCallback` that is named in `idem.tools`", (visit) -> {
					visit.replans("payByName");
					visit.ask(visit.client(), Till.function());
				}));
	}

	private static Door door(String title, Function<Visit, Object> tool) {
		return Door.of(title, (visit) -> visit.ask(visit.client(), tool.apply(visit)));
	}

	private static Object bean(Visit visit) {
		Payments payments = visit.bean(Payments.class);
		payments.before = (entry) -> visit.till().pay(29.9);
		return payments;
	}

	private static Object proxy(Object target) {
		ProxyFactory factory = new ProxyFactory(target);
		factory.setProxyTargetClass(true);
		factory.addAdvice((MethodInterceptor) MethodInvocation::proceed);
		return factory.getProxy();
	}

	private static ToolCallback callback(Class<?> type, Object toolObject) {
		Method method = ReflectionUtils.findMethod(type, "pay", String.class, double.class, ToolContext.class);
		return MethodToolCallback.builder()
			.toolDefinition(ToolDefinitions.from(method))
			.toolMethod(method)
			.toolObject(toolObject)
			.build();
	}

}
