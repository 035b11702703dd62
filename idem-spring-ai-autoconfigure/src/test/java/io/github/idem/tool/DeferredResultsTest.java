package io.github.idem.tool;

import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.github.idem.EffectBoundary;
import io.github.idem.Idempotent;
import io.github.idem.Judgement;
import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import io.github.idem.ResultClassifier;
import io.github.idem.testing.H2Files;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.execution.ToolCallResultConverter;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static io.github.idem.tool.ScriptedChatModel.call;
import static io.github.idem.tool.ScriptedChatModel.calls;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A result that is made later, which what is declared does not show, is seen when the
 * tool returns it: nobody knows what becomes of it.
 */
@ExtendWith(OutputCaptureExtension.class)
class DeferredResultsTest extends ToolCallTest {

	private static final String ORDER = "{\"id\":\"o1\"}";

	private final AtomicInteger entered = new AtomicInteger();

	@Override
	Map<String, Object> database() {
		return Map.of("spring.datasource.url", H2Files.newDatabase());
	}

	@Override
	Class<?>[] sources() {
		return new Class<?>[] { Application.class, TrustsEveryResult.class };
	}

	@Override
	void start(Map<String, Object> properties) {
		Map<String, Object> all = new HashMap<>(properties);
		all.put("idem.tools.function.duplicates", "collapse");
		super.start(all);
	}

	@ParameterizedTest
	@ValueSource(strings = { "anywhere", "marked", "overHttp", "declaredNot", "converted", "generic" })
	void aMethodThatGivesAMonoIsInDoubtAndSaysWhy(String tool, CapturedOutput output) {
		Tools tools = new Tools(() -> Mono.fromSupplier(() -> "charged"));
		callTwice(tool, tools);
		assertInDoubt("Mono");
		assertThat(tools.entered).hasValue(1);
		assertThat(output).contains("Tool '" + tool + "' returned a Mono").contains("block()");
	}

	@Test
	void whatIsMadeLaterIsInDoubtWhateverItIs() {
		for (Object later : new Object[] { Flux.just("charged"), CompletableFuture.completedFuture("charged"),
				new FutureTask<>(() -> "charged") }) {
			forget();
			callTwice("anywhere", new Tools(() -> later));
			assertInDoubt("");
		}
	}

	@Test
	void aFunctionThatGivesAMonoIsInDoubtAndSaysWhy() {
		callTwice("function", FunctionToolCallback.builder("function", (Order order) -> {
			this.entered.incrementAndGet();
			return Mono.just("charged " + order.id());
		}).description("Charges").inputType(Order.class).build());
		assertInDoubt("Mono");
		assertThat(this.entered).hasValue(1);
	}

	@Test
	void aMethodThatGivesItsResultAsAnObjectIsNot() {
		callTwice("anywhere", new Tools(() -> new Order("o1")));
		assertThat(operation().status()).isEqualTo(OperationStatus.SUCCEEDED);
		assertThat(operation().result()).isEqualTo(ORDER);
	}

	@Test
	void theConverterOfAToolIsStillAsked() {
		callTwice("converted", new Tools(() -> "charged"));
		assertThat(operation().result()).isEqualTo("converted charged");
	}

	private void callTwice(String tool, Object tools) {
		for (int time = 0; time < 2; time++) {
			this.model.rounds(calls(call("call_1", tool, ORDER)));
			ask(Mode.CALL, tools, (request) -> request.toolContext(Map.of("task_id", "t1")));
			assertThat(answer()).isNotNull();
		}
	}

	private void assertInDoubt(String type) {
		assertThat(operation().status()).isEqualTo(OperationStatus.IN_DOUBT);
		assertThat(operation().error()).contains(type).contains("would outlive the claim").contains("block()");
		assertThat(answer()).contains("\"status\":\"IN_DOUBT\"");
	}

	private Operation operation() {
		return this.store.find("t1:call_1").orElseThrow();
	}

	record Order(String id) {
	}

	static class Tools {

		final AtomicInteger entered = new AtomicInteger();

		private final Supplier<?> body;

		Tools(Supplier<?> body) {
			this.body = body;
		}

		@Idempotent
		@Tool(description = "Charges")
		@SuppressWarnings({ "unchecked", "TypeParameterUnusedInFormals" })
		<T> T generic(String id) {
			this.entered.incrementAndGet();
			return (T) this.body.get();
		}

		@Idempotent
		@Tool(description = "Charges")
		Object anywhere(String id) {
			return generic(id);
		}

		@Idempotent(effect = EffectBoundary.MARKED)
		@Tool(description = "Charges")
		Object marked(String id) {
			return generic(id);
		}

		@Idempotent(effect = EffectBoundary.HTTP)
		@Tool(description = "Charges")
		Object overHttp(String id) {
			return generic(id);
		}

		@Idempotent(notAppliedFor = RuntimeException.class)
		@Tool(description = "Charges")
		Object declaredNot(String id) {
			return generic(id);
		}

		@Idempotent
		@Tool(description = "Charges", resultConverter = Converter.class)
		Object converted(String id) {
			return generic(id);
		}

	}

	public static class Converter implements ToolCallResultConverter {

		@Override
		public String convert(@Nullable Object result, @Nullable Type returnType) {
			return "converted " + result;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TrustsEveryResult {

		@Bean
		ResultClassifier everythingIsFine() {
			return (tool, result) -> Optional.of(new Judgement.Applied());
		}

	}

}
