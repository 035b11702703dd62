package io.github.idem.sample;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.github.idem.sample.scenario.ScenarioRunner;
import io.github.idem.sample.standin.GatewayBehaviour;
import io.github.idem.sample.standin.PaymentLedger;
import io.github.idem.sample.standin.StandIns;
import io.github.idem.sample.standin.Treatment;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.system.ApplicationHome;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.SimpleCommandLinePropertySource;

/**
 * The application. Started plainly it runs all scenarios; with {@code --agent.prompt} it
 * gives the agent that one task, by a real model.
 */
@SpringBootApplication
public class SampleAgent {

	public static void main(String[] args) throws Exception {
		String prompt = new SimpleCommandLinePropertySource(args).getProperty("agent.prompt");
		boolean ok = (prompt != null) ? ask(prompt, args) : new ScenarioRunner(target(), args).run(System.out::println);
		System.exit(ok ? 0 : 1);
	}

	private static boolean ask(String prompt, String... args) {
		List<String> line = new ArrayList<>(List.of("--agent.directory=" + target()));
		try (StandIns standIns = new StandIns()) {
			PaymentLedger ledger = standIns.openAccount("agent", GatewayBehaviour.always(Treatment.PROMPT));
			line.add("--payments.url=" + standIns.paymentsUrl("agent"));
			line.addAll(List.of(args));
			try (ConfigurableApplicationContext application = SpringApplication.run(SampleAgent.class,
					line.toArray(String[]::new))) {
				String taskId = application.getEnvironment().getProperty("agent.task-id", "interactive");
				System.out.println(application.getBean(CoffeeAgent.class).ask(taskId, prompt));
				System.out.println("Charges: " + ledger.charges());
			}
		}
		return true;
	}

	/**
	 * The module's build folder, wherever the application was started: beside the classes
	 * or the jar it runs from.
	 */
	private static Path target() {
		File source = new ApplicationHome(SampleAgent.class).getSource();
		Path parent = (source != null) ? source.toPath().toAbsolutePath().getParent() : null;
		return (parent != null && parent.endsWith("target")) ? parent : Path.of("target").toAbsolutePath();
	}

}
