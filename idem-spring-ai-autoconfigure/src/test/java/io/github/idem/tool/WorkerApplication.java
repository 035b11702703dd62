package io.github.idem.tool;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.github.idem.Idempotent;
import io.github.idem.IdempotentCall;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

import static io.github.idem.tool.ScriptedChatModel.call;
import static io.github.idem.tool.ScriptedChatModel.calls;

/**
 * An agent in a process of its own, told by its parent what to do. Its effects are rows
 * of a table without any constraint, each committed at once, as a gateway's ledger would
 * have them.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class WorkerApplication {

	static final String READY = "worker ready";

	static final String CHARGED = "worker charged";

	static final String DONE = "worker done";

	/**
	 * Run a worker.
	 * @param arguments what to do ({@code offer} or {@code hang}), how many operations,
	 * and the database's URL
	 */
	public static void main(String[] arguments) throws Exception {
		try (ConfigurableApplicationContext context = start(Map.of("spring.datasource.url", arguments[2]))) {
			context.getBean(Ledger.class).hang = arguments[0].equals("hang");
			System.out.println(READY);
			new BufferedReader(new InputStreamReader(System.in)).readLine();
			offer(context, Integer.parseInt(arguments[1]));
			System.out.println(DONE);
		}
	}

	static ConfigurableApplicationContext start(Map<String, Object> properties) {
		return new SpringApplicationBuilder(WorkerApplication.class).web(WebApplicationType.NONE)
			.properties("spring.application.name=worker", "spring.ai.model.chat=none", "spring.ai.openai.api-key=none",
					"spring.main.banner-mode=off", "spring.flyway.enabled=false", "logging.level.root=warn")
			.properties(properties)
			.run();
	}

	/**
	 * Offer each operation once, in an order of this process's own, over eight threads.
	 */
	private static void offer(ConfigurableApplicationContext context, int operations) throws Exception {
		List<Integer> numbers = new ArrayList<>();
		for (int number = 0; number < operations; number++) {
			numbers.add(number);
		}
		Collections.shuffle(numbers, new Random(ProcessHandle.current().pid()));
		ExecutorService threads = Executors.newFixedThreadPool(8);
		try {
			List<Future<String>> answers = new ArrayList<>();
			for (int number : numbers) {
				answers.add(threads.submit(() -> ask(context, number)));
			}
			for (Future<String> answer : answers) {
				answer.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	/** Ask for one operation and give back what the model was told of it. */
	static String ask(ConfigurableApplicationContext context, int number) {
		ScriptedChatModel model = new ScriptedChatModel();
		model.rounds(calls(call("call_" + number, "charge", "{\"number\":%d}".formatted(number))));
		ChatClient.Builder builder = ChatClient.builder(model, ObservationRegistry.NOOP, null, null,
				context.getBean(ToolCallingAdvisor.Builder.class));
		context.getBean(IdempotentAdvisors.class).customize(builder);
		builder.build()
			.prompt("please")
			.tools(context.getBean(Ledger.class))
			.toolContext(Map.of("task_id", "task-" + number))
			.call()
			.content();
		return model.lastToolResponses().get(0).responseData();
	}

	@Bean
	ScriptedChatModel chatModel() {
		return new ScriptedChatModel();
	}

	@Bean
	Ledger ledger(JdbcClient jdbc) {
		return new Ledger(jdbc);
	}

	static class Ledger {

		private final JdbcClient jdbc;

		volatile boolean hang;

		Ledger(JdbcClient jdbc) {
			this.jdbc = jdbc;
		}

		@Idempotent
		@Tool(description = "Charges")
		String charge(int number) throws InterruptedException {
			this.jdbc.sql("INSERT INTO effect (request_id) VALUES (?)")
				.param(IdempotentCall.current().orElseThrow().requestId())
				.update();
			if (this.hang) {
				System.out.println(CHARGED);
				new CountDownLatch(1).await();
			}
			return "charged " + number;
		}

	}

}
