package io.github.idem.sample.scenario;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.github.idem.Decision;
import io.github.idem.Operation;
import io.github.idem.OperationResolver;
import io.github.idem.OperationStatus;
import io.github.idem.sample.CoffeeAgent;
import io.github.idem.sample.SampleAgent;
import io.github.idem.sample.standin.PaymentLedger;
import io.github.idem.sample.standin.StandIns;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * One run of a scenario: the application, started when first asked, with a model and a
 * payment account of its own.
 */
final class Stage implements AutoCloseable {

	private static final String REQUEST = "Please charge u1 29.90 for the coffee.";

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final Duration START_AND_CHARGE = Duration.ofSeconds(60);

	private final Scenario scenario;

	private final boolean idem;

	private final String taskId;

	private final String run;

	private final StandIns standIns;

	private final String[] arguments;

	private final PaymentLedger ledger;

	private final List<String> errors = new ArrayList<>();

	private @Nullable ConfigurableApplicationContext application;

	Stage(Scenario scenario, boolean idem, String taskId, StandIns standIns, String[] arguments) {
		this.scenario = scenario;
		this.idem = idem;
		this.taskId = taskId;
		this.run = scenario.name() + (idem ? "-with" : "-without");
		this.standIns = standIns;
		this.arguments = arguments.clone();
		standIns.script(this.run, scenario.model());
		this.ledger = standIns.openAccount(this.run, scenario.gateway());
	}

	/**
	 * Play the scenario; an error of the application is a part of the outcome.
	 */
	void play() throws InterruptedException {
		try {
			this.scenario.play().on(this);
		}
		catch (InterruptedException ex) {
			throw ex;
		}
		catch (Exception ex) {
			note(ex);
		}
	}

	/**
	 * Give the agent the task and wait for its answer.
	 */
	void ask() {
		ask(application().getBean(CoffeeAgent.class));
	}

	private void ask(CoffeeAgent agent) {
		if (this.scenario.streaming()) {
			agent.askStreaming(this.taskId, REQUEST);
		}
		else {
			agent.ask(this.taskId, REQUEST);
		}
	}

	/**
	 * Give the agent the same task many times at once.
	 */
	void askAtOnce(int times) throws InterruptedException {
		CoffeeAgent agent = application().getBean(CoffeeAgent.class);
		CountDownLatch start = new CountDownLatch(1);
		ExecutorService threads = Executors.newFixedThreadPool(times);
		try {
			List<Future<?>> asked = new ArrayList<>();
			for (int i = 0; i < times; i++) {
				asked.add(threads.submit(() -> {
					start.await();
					ask(agent);
					return null;
				}));
			}
			start.countDown();
			for (Future<?> future : asked) {
				note(future);
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private void note(Future<?> asked) throws InterruptedException {
		try {
			asked.get();
		}
		catch (ExecutionException ex) {
			note((ex.getCause() != null) ? ex.getCause() : ex);
		}
	}

	/**
	 * Give the task to an agent in a process of its own, and kill that as soon as the
	 * gateway has charged.
	 */
	void askAndKill() throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
						System.getProperty("java.class.path"), SampleAgent.class.getName()));
		command.addAll(List.of(commandLine()));
		command.add("--agent.child-task=" + this.taskId);
		command.add("--agent.prompt=" + REQUEST);
		command.add("--agent.streaming=" + this.scenario.streaming());
		Process child = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start();
		try {
			if (this.ledger.await(1, START_AND_CHARGE).isEmpty()) {
				throw new IllegalStateException("the process that was to be killed did not charge");
			}
		}
		finally {
			child.destroyForcibly().waitFor();
		}
	}

	/**
	 * Wait until the background has found out. Without idem there is nobody to do so.
	 * @throws IllegalStateException if it does not: a later call would find out by itself
	 */
	void awaitStatus(OperationStatus status) throws InterruptedException {
		long end = System.nanoTime() + PATIENCE.toNanos();
		while (this.idem && operations().stream().noneMatch((operation) -> operation.is(status, 1))) {
			if (System.nanoTime() - end >= 0) {
				throw new IllegalStateException("the background has not found out: " + operations());
			}
			TimeUnit.MILLISECONDS.sleep(50);
		}
	}

	/**
	 * A person looks what waits for one into the gateway's books, and settles what is
	 * there. What is not there may still come: that one is left alone.
	 */
	void settleByHand() {
		if (this.idem) {
			OperationResolver resolver = application().getBean(OperationResolver.class);
			for (Operation waiting : resolver.waiting(100)) {
				this.ledger.find(waiting.requestId())
					.ifPresent((charge) -> resolver.resolve(waiting.requestId(), waiting.version(),
							new Decision.Applied("\"Charged, receipt %s\"".formatted(charge.id())), "alice",
							"found in the gateway's books"));
			}
		}
	}

	/**
	 * Note what came to the agent's caller as an exception.
	 */
	void note(Throwable error) {
		this.errors.add(NestedExceptionUtils.getMostSpecificCause(error).toString());
	}

	/**
	 * End the application; what comes next meets a fresh one on the same database.
	 */
	void restart() {
		close();
	}

	private ConfigurableApplicationContext application() {
		ConfigurableApplicationContext running = this.application;
		if (running == null) {
			running = new SpringApplicationBuilder(SampleAgent.class).run(commandLine());
			this.application = running;
		}
		return running;
	}

	private String[] commandLine() {
		List<String> line = new ArrayList<>(List.of(this.arguments));
		line.add("--idem.enabled=" + this.idem);
		line.add("--payments.url=" + this.standIns.paymentsUrl(this.run));
		line.add("--spring.ai.openai.base-url=" + this.standIns.modelUrl(this.run));
		line.add("--spring.ai.openai.api-key=none");
		line.add("--spring.ai.openai.max-retries=0");
		this.scenario.properties().forEach((property) -> line.add("--" + property));
		return line.toArray(String[]::new);
	}

	/**
	 * How it ended.
	 * @param expectedCharges how many charges to wait for, should they come late
	 */
	Outcome outcome(int expectedCharges) throws InterruptedException {
		List<PaymentLedger.Charge> charges = this.ledger.await(expectedCharges, PATIENCE);
		List<Outcome.Operation> operations = this.idem ? operations() : List.of();
		return new Outcome(charges, operations, this.standIns.toolResults(this.run), this.errors);
	}

	private List<Outcome.Operation> operations() {
		try {
			return application().getBean(JdbcClient.class)
				.sql("SELECT request_id, status, attempt FROM idem_operation WHERE task_id = :task ORDER BY created_at, request_id")
				.param("task", this.taskId)
				.query((row, number) -> new Outcome.Operation(row.getString("request_id"), row.getString("status"),
						row.getInt("attempt")))
				.list();
		}
		catch (RuntimeException ex) {
			note(ex);
			return List.of();
		}
	}

	@Override
	public void close() {
		if (this.application != null) {
			this.application.close();
			this.application = null;
		}
	}

}
