package io.github.idem.tool;

import java.util.List;
import java.util.function.Function;

import io.github.idem.IdempotentTools;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.resolution.StaticToolCallbackResolver;

import static io.github.idem.tool.RequestDoors.with;

/**
 * A way to run a tool that no hook stands in.
 *
 * @param title what {@code docs/coverage.md} calls it
 * @param opening runs the tools it is given
 */
record BeyondReach(String title, Opening opening) {

	static List<BeyondReach> all() {
		return List.of(
				new BeyondReach("a client of the static `ChatClient.create(model)`",
						(visit, tools) -> visit.ask(ChatClient.create(visit.model()), (Object[]) tools)),
				new BeyondReach("a client of the static `ChatClient.builder(model)`",
						(visit, tools) -> visit.ask(ChatClient.builder(visit.model()).build(), (Object[]) tools)),
				new BeyondReach("a tool loop of your own with a `ToolCallingManager` that is no bean",
						(visit, tools) -> visit.loop(ToolCallingManager.builder().build(), tools)),
				new BeyondReach("a direct `ToolCallback.call`", BeyondReach::directly),
				new BeyondReach("tools that an advisor brings into each iteration, for a manager of its own",
						(visit, tools) -> visit
							.ask(with(visit.client(), new ToolSearch(ToolCallingManager.builder().build(), tools)))),
				new BeyondReach("a resolver that is no bean, of a manager that is no bean",
						(visit, tools) -> visit.ask(with(visit.client(), loop(tools)))));
	}

	/** The door, with the tools as they are or as they are wrapped by hand. */
	private Door door(Function<ToolCallback[], ToolCallback[]> tools) {
		return Door.of(this.title,
				(visit) -> this.opening.open(visit, tools.apply(ToolCallbacks.from(new Till.Tools()))));
	}

	Door asItIs() {
		return door(Function.identity());
	}

	Door wrapped() {
		return door(IdempotentTools::wrap);
	}

	private static void directly(Visit visit, ToolCallback... tools) {
		tools[0].call(Visit.ARGUMENTS, new ToolContext(visit.toolContext()));
		tools[0].call(Visit.REWRITTEN, new ToolContext(visit.toolContext()));
	}

	private static ToolCallingAdvisor loop(ToolCallback... tools) {
		return ToolCallingAdvisor.builder()
			.toolCallingManager(ToolCallingManager.builder()
				.toolCallbackResolver(new StaticToolCallbackResolver(List.of(tools)))
				.resolutionFallbackEnabled(true)
				.build())
			.build();
	}

	@FunctionalInterface
	interface Opening {

		void open(Visit visit, ToolCallback... tools);

	}

}
