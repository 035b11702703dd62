package io.github.idem.sample;

import java.io.File;
import java.nio.file.Path;
import java.util.function.Consumer;

import io.github.idem.sample.scenario.ScenarioRunner;
import io.github.idem.sample.standin.GatewayBehaviour;
import io.github.idem.sample.standin.PaymentLedger;
import io.github.idem.sample.standin.StandIns;
import io.github.idem.sample.standin.Treatment;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.system.ApplicationHome;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.SimpleCommandLinePropertySource;

/**
 * The application. Started plainly it runs all scenarios; with {@code --agent.prompt} it
 * gives that one task to a real model.
 */
@SpringBootApplication
public class SampleAgent {

	public static void main(String[] args) throws Exception {
		if (Boolean.getBoolean("spring.aot.processing")) {
			// The build wants to see the application's beans, and not what they do.
			application().run(args);
			return;
		}
		String prompt = new SimpleCommandLinePropertySource(args).getProperty("agent.prompt");
		String child = new SimpleCommandLinePropertySource(args).getProperty("agent.child-task");
		if (child != null) {
			askAsChild(child, String.valueOf(prompt), args);
			return;
		}
		boolean ok = (prompt != null) ? ask(prompt, System.out::println, args)
				: new ScenarioRunner(target(), args).run(System.out::println);
		System.exit(ok ? 0 : 1);
	}

	/**
	 * One task for a real model. The payment gateway is played, so no money moves.
	 */
	static boolean ask(String prompt, Consumer<String> out, String... args) {
		try (StandIns standIns = new StandIns()) {
			PaymentLedger ledger = standIns.openAccount("agent", GatewayBehaviour.always(Treatment.PROMPT));
			try (ConfigurableApplicationContext application = application()
				.properties("payments.url=" + standIns.paymentsUrl("agent"))
				.run(args)) {
				String taskId = application.getEnvironment().getProperty("agent.task-id", "interactive");
				out.accept(application.getBean(CoffeeAgent.class).ask(taskId, prompt));
				out.accept("Charges made: " + ledger.charges());
				return true;
			}
		}
		catch (RuntimeException ex) {
			out.accept("The agent failed: " + NestedExceptionUtils.getMostSpecificCause(ex));
			out.accept("Is OPENAI_API_KEY set, or OPENAI_BASE_URL for a server that needs no key?");
			return false;
		}
	}

	/**
	 * One task for a process that will be killed.
	 */
	private static void askAsChild(String taskId, String prompt, String... args) {
		ConfigurableApplicationContext application = application().run(args);
		CoffeeAgent agent = application.getBean(CoffeeAgent.class);
		if (application.getEnvironment().getProperty("agent.streaming", Boolean.class, false)) {
			agent.askStreaming(taskId, prompt);
		}
		else {
			agent.ask(taskId, prompt);
		}
	}

	private static SpringApplicationBuilder application() {
		return new SpringApplicationBuilder(SampleAgent.class).properties("agent.directory=" + target());
	}

	/**
	 * The module's build folder, wherever the application was started: it holds the
	 * classes or the jar it runs from.
	 */
	private static Path target() {
		File source = new ApplicationHome(SampleAgent.class).getSource();
		Path parent = (source != null) ? source.toPath().toAbsolutePath().getParent() : null;
		return (parent != null && parent.endsWith("target")) ? parent : Path.of("target").toAbsolutePath();
	}

}
