package io.github.idem.tool;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.idem.Idempotent;
import io.github.idem.IdempotencyException;
import io.github.idem.IdempotentTools;
import io.github.idem.autoconfigure.IdemEngineAutoConfiguration;
import io.github.idem.autoconfigure.IdemStoreAutoConfiguration;
import io.github.idem.autoconfigure.IdemToolAutoConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.asm.ClassWriter;
import org.springframework.asm.Opcodes;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.web.context.request.async.DeferredResult;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A tool that returns before its effect is made stops the application, wherever that can
 * be known from what is declared.
 */
class EffectsThatOutliveTheClaimTest {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, IdemStoreAutoConfiguration.class,
				IdemEngineAutoConfiguration.class, IdemToolAutoConfiguration.class))
		.withPropertyValues("spring.datasource.generate-unique-name=true", "idem.store.volatile=allow",
				"idem.lint=off");

	@ParameterizedTest
	@ValueSource(classes = { AsyncMethod.class, AsyncClass.class, AsyncByInheritance.class, AsyncByInterface.class,
			AsyncByAnotherAnnotation.class })
	void anAsyncToolIsRefused(Class<?> type) {
		this.runner.withUserConfiguration(WithAsync.class)
			.withBean("till", type)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(IdempotencyException.class)
				.hasMessageContaining("@Idempotent on bean 'till'")
				.hasMessageContaining(".pay)")
				.hasMessageContaining("@Async")
				.hasMessageContaining("would outlive the claim")
				.hasMessageContaining("Remove"));
	}

	@Test
	void aToolBesideAnAsyncMethodIsNot() {
		this.runner.withUserConfiguration(WithAsync.class)
			.withBean("till", BesideAsync.class)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "flux", "flowPublisher", "future", "callable", "supplier", "deferredResult", "stream",
			"intStream", "bounded", "listOfMonos", "arrayOfFutures" })
	void aDeclaredResultThatIsMadeLaterIsRefused(String name) {
		Method method = Stream.of(Declared.class.getDeclaredMethods())
			.filter((candidate) -> candidate.getName().equals(name))
			.findFirst()
			.orElseThrow();
		assertThatExceptionOfType(IdempotencyException.class)
			.isThrownBy(() -> ToolMethods.requireProtectable(method, null))
			.withMessageContaining("Declared." + name + " returns a ")
			.withMessageContaining("would outlive the claim")
			.withMessageContaining("block()");
	}

	@Test
	void aResultThatIsThereIsNotRefused() {
		for (Method method : Immediate.class.getDeclaredMethods()) {
			ToolMethods.requireProtectable(method, null);
		}
	}

	@Test
	void aTypeVariableIsWhatTheClassOfTheToolMakesOfIt() {
		this.runner.withBean("till", GivesMono.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("@Idempotent on bean 'till' (Generic.pay)")
				.hasMessageContaining("returns a Mono"));
		this.runner.withBean("till", GivesText.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aSuspendFunctionIsRefused() throws Exception {
		Method pay = suspendFunction();
		assertThatExceptionOfType(IdempotencyException.class)
			.isThrownBy(() -> ToolMethods.requireProtectable(pay, null))
			.withMessageContaining(".pay is a suspend function")
			.withMessageContaining("runBlocking");
	}

	@Test
	void aMethodThatIsProtectedByItsNameIsRefusedToo() {
		this.runner.withBean("till", ByName.class)
			.withPropertyValues("idem.tools.pay.duplicates=collapse")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(IdempotencyException.class)
				.hasMessageContaining("'pay'")
				.hasMessageContaining("bean 'till', ByName.pay")
				.hasMessageContaining("returns a Mono"));
		this.runner.withBean("till", ByName.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aToolThatIsWrappedByHandIsRefusedWhenItIsCalled() {
		ToolCallback pay = IdempotentTools.wrap(ToolCallbacks.from(new ByName()))[0];
		this.runner.run((context) -> assertThatExceptionOfType(IdempotencyException.class)
			.isThrownBy(() -> pay.call("{\"order\":\"o1\"}", new ToolContext(Map.of("task_id", "t1"))))
			.withMessageContaining("ByName.pay returns a Mono"));
	}

	@ParameterizedTest
	@ValueSource(classes = { DeclaredFunction.class, FunctionOfAClass.class })
	void aFunctionThatGivesAMonoIsRefusedIfThatIsDeclared(Class<?> configuration) {
		this.runner.withUserConfiguration(configuration)
			.withPropertyValues("idem.tools.reactive.duplicates=collapse")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(IdempotencyException.class)
				.hasMessageContaining("bean 'reactiveTool'")
				.hasMessageContaining("Tool 'reactive'")
				.hasMessageContaining("returns a Mono")
				.hasMessageContaining("block()"));
		this.runner.withUserConfiguration(configuration).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aFunctionThatGivesTextIsNotRefused() {
		this.runner.withUserConfiguration(TextFunction.class)
			.withPropertyValues("idem.tools.text.duplicates=collapse")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	/** As Kotlin compiles one, without Kotlin. */
	private static Method suspendFunction() throws Exception {
		ClassWriter writer = new ClassWriter(0);
		writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC | Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT,
				EffectsThatOutliveTheClaimTest.class.getPackageName().replace('.', '/') + "/Suspending", null,
				"java/lang/Object", null);
		writer.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_ABSTRACT, "pay",
				"(Ljava/lang/String;Lkotlin/coroutines/Continuation;)Ljava/lang/Object;", null, null);
		return MethodHandles.lookup().defineClass(writer.toByteArray()).getMethods()[0];
	}

	record Order(String id) {
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync(proxyTargetClass = true)
	static class WithAsync {

	}

	static class AsyncMethod {

		@Async
		@Idempotent
		@Tool(description = "Pays")
		public void pay(String order) {
		}

	}

	@Async
	static class AsyncClass {

		@Idempotent
		@Tool(description = "Pays")
		public void pay(String order) {
		}

	}

	static class AsyncByInheritance extends AsyncMethod {

		@Override
		@Idempotent
		@Tool(description = "Pays")
		public void pay(String order) {
		}

	}

	@Async
	interface InBackground {

	}

	static class AsyncByInterface implements InBackground {

		@Idempotent
		@Tool(description = "Pays")
		public void pay(String order) {
		}

	}

	@Async("pool")
	@Retention(RetentionPolicy.RUNTIME)
	@interface OnPool {

	}

	static class AsyncByAnotherAnnotation {

		@OnPool
		@Idempotent
		@Tool(description = "Pays")
		public void pay(String order) {
		}

	}

	static class BesideAsync {

		@Idempotent
		@Tool(description = "Pays")
		public void pay(String order) {
		}

		@Async
		public void mail(String order) {
		}

	}

	@SuppressWarnings("unused")
	interface Declared {

		Flux<String> flux();

		Flow.Publisher<String> flowPublisher();

		Future<?> future();

		Callable<String> callable();

		Supplier<String> supplier();

		DeferredResult<String> deferredResult();

		Stream<String> stream();

		IntStream intStream();

		<T extends Mono<?>> T bounded();

		List<Mono<String>> listOfMonos();

		CompletableFuture<?>[] arrayOfFutures();

	}

	@SuppressWarnings("unused")
	interface Immediate {

		void nothing();

		String text();

		int number();

		List<? extends Order> orders();

		<T extends Comparable<T>> T something();

		<E extends Enum<E>> List<E> enums();

		Order[] array();

		Object unknown();

	}

	abstract static class Generic<T> {

		abstract T get();

		@Idempotent
		@Tool(description = "Pays")
		T pay(String order) {
			return get();
		}

	}

	static class GivesMono extends Generic<Mono<String>> {

		@Override
		Mono<String> get() {
			return Mono.just("paid");
		}

	}

	static class GivesText extends Generic<String> {

		@Override
		String get() {
			return "paid";
		}

	}

	static class ByName {

		@Tool(description = "Pays")
		Mono<String> pay(String order) {
			return Mono.just("paid");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DeclaredFunction {

		@Bean
		FunctionToolCallback<Order, Mono<String>> reactiveTool() {
			return FunctionToolCallback.builder("reactive", (Order order) -> Mono.just("paid " + order))
				.inputType(Order.class)
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class FunctionOfAClass {

		@Bean
		FunctionToolCallback<?, ?> reactiveTool() {
			return FunctionToolCallback.builder("reactive", new Reactive()).inputType(Order.class).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TextFunction {

		@Bean
		FunctionToolCallback<Order, String> textTool() {
			return FunctionToolCallback.builder("text", (Order order) -> "paid").inputType(Order.class).build();
		}

	}

	static class Reactive implements BiFunction<@Nullable Order, @Nullable ToolContext, Mono<String>> {

		@Override
		public Mono<String> apply(@Nullable Order order, @Nullable ToolContext context) {
			return Mono.just("paid " + order);
		}

	}

}
