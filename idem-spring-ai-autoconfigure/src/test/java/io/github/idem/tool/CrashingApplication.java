package io.github.idem.tool;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

import javax.sql.DataSource;

import io.github.idem.Decision;
import io.github.idem.Downstream;
import io.github.idem.Idempotent;
import io.github.idem.IdempotentCall;
import io.github.idem.IdempotentTools;
import io.github.idem.Operation;
import io.github.idem.OperationResolver;
import io.github.idem.Outcome;
import io.github.idem.OutcomeProbe;
import io.github.idem.operation.Answer;
import io.github.idem.operation.Claim;
import io.github.idem.operation.ClaimRequest;
import io.github.idem.jdbc.JdbcOperationStore;
import io.github.idem.jdbc.JdbcTransactionalStore;
import io.github.idem.operation.OperationStore;
import io.github.idem.operation.TransactionalStore;
import io.github.idem.tool.CrashPoint.Kind;

import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;

/**
 * Calls one tool of each kind of downstream, and stops for ever at one point, where its
 * parent kills it. Started without a point it is the process that comes after.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class CrashingApplication {

	public static void main(String[] arguments) {
		CrashPoint point = CrashPoint.valueOf(arguments[0]);
		ConfigurableApplicationContext context = start(arguments[1], arguments[2], point);
		for (Kind kind : point.kinds()) {
			new Thread(() -> {
				call(context, kind);
				settleByHand(context, kind);
			}).start();
		}
	}

	/**
	 * Start the application.
	 * @param point where to stop; {@code null} to go on
	 */
	static ConfigurableApplicationContext start(String url, String gateway, @Nullable CrashPoint point) {
		Map<String, Object> properties = new HashMap<>();
		properties.put("spring.datasource.url", url);
		properties.put("gateway.url", gateway);
		properties.put("crash.point", (point != null) ? point.name() : "");
		properties.put("gateway.timeout", (point != null && !point.losesTheFirstAnswer()) ? "60s" : "500ms");
		properties.put("idem.recovery.interval", (point != null) ? "1h" : "100ms");
		return new SpringApplicationBuilder(CrashingApplication.class).web(WebApplicationType.NONE)
			.properties("spring.application.name=crash", "spring.ai.model.chat=none", "spring.ai.openai.api-key=none",
					"spring.main.banner-mode=off", "spring.flyway.enabled=false", "logging.level.root=error",
					"spring.ai.mcp.client.enabled=false", "spring.ai.mcp.server.enabled=false", "idem.lint=off",
					"idem.lease=1500ms", "idem.probe.delay=50ms", "idem.probe.settle=700ms",
					"idem.retry.initial-delay=50ms", "idem.wait.timeout=100ms")
			.properties(properties)
			.run();
	}

	/** Call the tool of a kind, always the same call of the same task. */
	static String call(ConfigurableApplicationContext context, Kind kind) {
		ToolCallback tool = Arrays.stream(ToolCallbacks.from(context.getBean(Charging.class)))
			.filter((callback) -> callback.getToolDefinition().name().equals(kind.tool))
			.findFirst()
			.orElseThrow();
		return IdempotentTools.wrap(tool)[0].call("{\"order\":\"o1\"}",
				new ToolContext(Map.of("task_id", kind.name())));
	}

	private static void settleByHand(ConfigurableApplicationContext context, Kind kind) {
		OperationResolver resolver = context.getBean(OperationResolver.class);
		resolver.waiting(10)
			.stream()
			.filter((operation) -> operation.taskId().equals(kind.name()))
			.forEach((operation) -> resolver.resolve(operation.requestId(), operation.version(),
					new Decision.Applied("settled by hand"), "alice", "saw it"));
	}

	/** One tool for each kind. */
	static class Charging {

		private final RestClient client;

		private final JdbcClient jdbc;

		private final Stops stops;

		Charging(RestClient client, JdbcClient jdbc, Stops stops) {
			this.client = client;
			this.jdbc = jdbc;
			this.stops = stops;
		}

		@Idempotent(downstream = Downstream.OPAQUE)
		@Tool(description = "Charges")
		String opaque(String order) {
			return charge();
		}

		@Idempotent(downstream = Downstream.IDEMPOTENT)
		@Tool(description = "Charges")
		String deduplicated(String order) {
			return charge();
		}

		@Idempotent(downstream = Downstream.QUERYABLE)
		@Tool(description = "Charges")
		String queryable(String order) {
			return charge();
		}

		@Idempotent(downstream = Downstream.TRANSACTIONAL)
		@Tool(description = "Books a seat in the database of the record")
		String book(String order) {
			this.jdbc.sql("INSERT INTO booking VALUES ('seat')").update();
			this.stops.at(CrashPoint.RESPONSE_READ, IdempotentCall.current().orElseThrow().requestId());
			return "booked";
		}

		private String charge() {
			String requestId = IdempotentCall.current().orElseThrow().requestId();
			String receipt = this.client.post()
				.uri("/charges")
				.header("Idempotency-Key", requestId)
				.body("{}")
				.retrieve()
				.body(String.class);
			this.stops.at(CrashPoint.RESPONSE_READ, requestId);
			return String.valueOf(receipt);
		}

	}

	/** Stops for ever where it is told to, and says that it got there. */
	static final class Stops {

		private final String point;

		private final RestClient client;

		Stops(String point, RestClient client) {
			this.point = point;
			this.client = client;
		}

		void at(CrashPoint reached, String requestId) {
			if (reached.name().equals(this.point)) {
				this.client.post().uri("/reached/" + Kind.of(requestId)).retrieve().toBodilessEntity();
				try {
					new CountDownLatch(1).await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			}
		}

	}

	/** The gateway's ledger, asked by request id. */
	record Probe(String tool, RestClient client) implements OutcomeProbe {

		@Override
		public Outcome probe(Operation operation) {
			try {
				return new Outcome.Applied(
						this.client.get().uri("/charges/" + operation.requestId()).retrieve().body(String.class));
			}
			catch (HttpClientErrorException.NotFound ex) {
				return new Outcome.NotFound();
			}
		}

	}

	@Bean
	ScriptedChatModel chatModel() {
		return new ScriptedChatModel();
	}

	@Bean
	RestClient gatewayClient(RestClient.Builder builder, @Value("${gateway.url}") String url,
			@Value("${gateway.timeout}") Duration timeout) {
		JdkClientHttpRequestFactory factory = new JdkClientHttpRequestFactory(
				HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build());
		factory.setReadTimeout(timeout);
		return builder.baseUrl(url).requestFactory(factory).build();
	}

	@Bean
	static Stops stops(@Value("${crash.point}") String point, @Value("${gateway.url}") String url) {
		return new Stops(point, RestClient.create(url));
	}

	@Bean
	Charging charging(RestClient gatewayClient, JdbcClient jdbc, Stops stops) {
		return new Charging(gatewayClient, jdbc, stops);
	}

	@Bean
	Probe probe(RestClient gatewayClient) {
		return new Probe("queryable", gatewayClient);
	}

	/** Stops before and after what the engine asks of the store. */
	@Bean
	static BeanPostProcessor stoppingStore(Stops stops) {
		return new BeanPostProcessor() {
			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				return (bean instanceof OperationStore store) ? stopping(store, stops) : bean;
			}
		};
	}

	/** The record inside transactions; it stops at the same points. */
	@Bean
	@DependsOn("idemOperationStore")
	TransactionalStore transactionalStore(DataSource dataSource, PlatformTransactionManager manager, Stops stops) {
		TransactionalStore joined = JdbcTransactionalStore.join(JdbcOperationStore.create(dataSource, "crash", null),
				dataSource, manager, Duration.ofSeconds(1));
		return new TransactionalStore() {
			@Override
			public <T> T inOneTransaction(Function<OperationStore, T> work) {
				T value = joined.inOneTransaction((store) -> work.apply(stopping(store, stops)));
				if (value instanceof Answer.Result result) {
					stops.at(CrashPoint.AFTER_COMMIT, result.requestId());
				}
				return value;
			}
		};
	}

	private static OperationStore stopping(OperationStore store, Stops stops) {
		return (OperationStore) Proxy.newProxyInstance(CrashingApplication.class.getClassLoader(),
				new Class<?>[] { OperationStore.class }, (proxy, method, arguments) -> {
					stop(stops, "BEFORE_", method.getName(), arguments);
					try {
						return method.invoke(store, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
					finally {
						stop(stops, "AFTER_", method.getName(), arguments);
					}
				});
	}

	private static void stop(Stops stops, String when, String verb, Object[] arguments) {
		switch (verb) {
			case "claim" ->
				stops.at(CrashPoint.valueOf(when + "CLAIM"), ((ClaimRequest) arguments[0]).call().requestId(0));
			case "complete" -> stops.at(CrashPoint.valueOf(when + "COMPLETION"),
					((Claim.Granted) arguments[0]).operation().requestId());
			case "resolve" -> stops.at(CrashPoint.valueOf(when + "RESOLUTION"), ((Operation) arguments[0]).requestId());
			default -> {
			}
		}
	}

}
