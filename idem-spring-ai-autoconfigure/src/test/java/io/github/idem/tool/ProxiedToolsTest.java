package io.github.idem.tool;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.idem.Idempotent;
import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.ai.tool.annotation.Tool;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static io.github.idem.tool.ScriptedChatModel.call;
import static io.github.idem.tool.ScriptedChatModel.calls;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A proxy may refuse a call before the tool is entered, or fail after it has returned.
 * Both look alike from outside; only the first changed nothing.
 */
abstract class ProxiedToolsTest extends ToolCallTest {

	private Guarded guarded;

	private Guard guard;

	@Override
	Class<?>[] sources() {
		return new Class<?>[] { Application.class, Beans.class };
	}

	@Override
	void start(Map<String, Object> properties) {
		Map<String, Object> all = new HashMap<>(properties);
		all.put("idem.tools.guardedByName.duplicates", "collapse");
		super.start(all);
	}

	@BeforeEach
	void reset() {
		this.guarded = this.context.getBean(Guarded.class);
		this.guard = this.context.getBean(Guard.class);
		this.guard.entered.set(0);
	}

	@Test
	void aProxyThatRefusesTheArgumentsChangedNothingAndTheCallMayBeMadeAgain() {
		this.guard.advice = (invocation) -> {
			throw new IllegalArgumentException("amount must be positive");
		};
		charge();
		assertThat(answer()).contains("amount must be positive");
		assertThat(operation().status()).isEqualTo(OperationStatus.FAILED);
		this.guard.advice = (invocation) -> invocation.proceed();
		charge();
		assertThat(operation()).extracting(Operation::status, Operation::attempt)
			.containsExactly(OperationStatus.SUCCEEDED, 2);
		assertThat(this.guard.entered).hasValue(1);
	}

	@Test
	void aProxyThatFailsAfterTheToolHasReturnedMayHaveChangedSomething() {
		this.guard.advice = (invocation) -> {
			invocation.proceed();
			throw new IllegalArgumentException("the result is not allowed");
		};
		charge();
		assertThat(answer()).contains("IN_DOUBT");
		assertThat(this.guard.entered).hasValue(1);
	}

	@Test
	void aProxyThatEntersTheToolOnAnotherThreadMayHaveChangedSomething() {
		this.guard.advice = (invocation) -> {
			CompletableFuture.runAsync(() -> {
				try {
					invocation.proceed();
				}
				catch (Throwable ex) {
					throw new IllegalStateException(ex);
				}
			}, (task) -> new Thread(task).start()).join();
			throw new IllegalArgumentException("and then no");
		};
		charge();
		assertThat(answer()).contains("IN_DOUBT");
	}

	@Test
	void aProxyThatRefusesAToolThatIsProtectedByNameChangedNothing() {
		this.guard.advice = (invocation) -> {
			throw new IllegalArgumentException("amount must be positive");
		};
		charge("guardedByName", this.context.getBean(ByName.class));
		assertThat(answer()).contains("amount must be positive");
		assertThat(operation().status()).isEqualTo(OperationStatus.FAILED);
	}

	private void charge() {
		charge("guardedCharge", this.guarded);
	}

	private void charge(String tool, Object bean) {
		this.model.rounds(calls(call("call_1", tool, "{\"order\":\"o1\"}")));
		ask(Mode.CALL, bean, (request) -> request.toolContext(Map.of("task_id", "t1")));
	}

	private Operation operation() {
		return this.store.find("t1:call_1").orElseThrow();
	}

	/** The tool. Public, or Spring AI can not call it behind a proxy. */
	public static class Guarded {

		private final Guard guard;

		public Guarded(Guard guard) {
			this.guard = guard;
		}

		@Idempotent
		@Tool(description = "Charges an order")
		public String guardedCharge(String order) {
			this.guard.entered.incrementAndGet();
			return "charged";
		}

	}

	/** A tool without an annotation of ours. */
	public static class ByName {

		@Tool(description = "Charges an order")
		public String guardedByName(String order) {
			return "charged";
		}

	}

	/** What stands before it. */
	public static class Guard {

		private final AtomicInteger entered = new AtomicInteger();

		private volatile MethodInterceptor advice = (invocation) -> invocation.proceed();

	}

	@Configuration(proxyBeanMethods = false)
	static class Beans {

		@Bean
		static Guard guard() {
			return new Guard();
		}

		@Bean
		Guarded guarded(Guard guard) {
			return new Guarded(guard);
		}

		@Bean
		ByName byName() {
			return new ByName();
		}

		@Bean
		static BeanPostProcessor guarding(Guard guard) {
			return new BeanPostProcessor() {
				@Override
				public Object postProcessAfterInitialization(Object bean, String name) {
					if (!(bean instanceof Guarded || bean instanceof ByName)) {
						return bean;
					}
					ProxyFactory factory = new ProxyFactory(bean);
					factory.setProxyTargetClass(true);
					factory.addAdvice(
							(MethodInterceptor) (invocation) -> invocation.getMethod().isAnnotationPresent(Tool.class)
									? guard.advice.invoke(invocation) : invocation.proceed());
					return factory.getProxy();
				}
			};
		}

	}

}
