package io.github.idem.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.idem.Downstream;
import io.github.idem.EffectBoundary;
import io.github.idem.tool.EffectPolicies;
import io.github.idem.tool.ToolCallingPostProcessor;
import io.github.idem.tool.ToolPolicies;
import io.github.idem.tool.ToolProtection;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.annotation.Tool;

/**
 * A tool nobody annotated, with idem in the application and without: the promise is that
 * nobody can measure the difference.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class UnprotectedToolBenchmark {

	private final ToolCallingManager plain = ToolCallingManager.builder().build();

	private final ToolCallingManager withIdem = (ToolCallingManager) new ToolCallingPostProcessor(
			() -> new ToolProtection(new ToolPolicies(Map.of(),
					new EffectPolicies(Downstream.AUTO, EffectBoundary.ANYWHERE, Map::of, () -> false, () -> false)),
					() -> {
						throw new IllegalStateException("an unprotected tool needs no engine");
					}),
			() -> {
				throw new IllegalStateException("there is no chat client here");
			})
		.postProcessAfterInitialization(this.plain, "toolCallingManager");

	private final Prompt prompt = new Prompt(List.of(new UserMessage("What is there?")),
			ToolCallingChatOptions.builder()
				.toolCallbacks(ToolCallbacks.from(new Menu()))
				.toolContext(Map.of("task_id", "t1"))
				.build());

	private final ChatResponse response = new ChatResponse(List.of(new Generation(AssistantMessage.builder()
		.content("")
		.toolCalls(List.of(new AssistantMessage.ToolCall("call_1", "function", "menu", "{\"section\":\"hot\"}")))
		.build())));

	/**
	 * Spring AI alone.
	 * @return the result
	 */
	@Benchmark
	public ToolExecutionResult plain() {
		return this.plain.executeToolCalls(this.prompt, this.response);
	}

	/**
	 * Spring AI with idem before it.
	 * @return the result
	 */
	@Benchmark
	public ToolExecutionResult withIdem() {
		return this.withIdem.executeToolCalls(this.prompt, this.response);
	}

	/** A read-only tool. */
	static class Menu {

		@Tool(description = "Reads a section of the menu")
		String menu(String section) {
			return section + ": espresso";
		}

	}

}
