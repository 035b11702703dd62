package io.github.idem.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.model.tool.ToolExecutionResult;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.method.MethodToolCallbackProvider;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static io.github.idem.tool.ScriptedChatModel.call;
import static io.github.idem.tool.ScriptedChatModel.calls;
import static org.assertj.core.api.Assertions.assertThat;

/** Doors that lie in how the application is put together. */
final class ApplicationDoors {

	private static final String FALLBACK = "spring.ai.tools.resolution.fallback.enabled=true";

	private ApplicationDoors() {
	}

	static List<Door> all() {
		return List.of(
				Door.of("a tool that the request does not name, with resolver fallback on",
						(visit) -> visit.ask(visit.in(ProviderBean.class, FALLBACK).client().prompt("please")))
					.heldBy(Hook.MANAGER, Hook.RESOLVER),
				Door.of("a `ToolCallingManager` bean of your own that runs a batch in parallel",
						(visit) -> visit.ask(visit.in(ParallelManager.class).client(), new Till.Tools())),
				Door.of("a manager whose limits skip calls", ApplicationDoors::limited),
				Door.of("a tool advisor in another place",
						(visit) -> visit.ask(
								visit.in(Plain.class, "spring.ai.chat.client.tool-calling.advisor-order=5000").client(),
								new Till.Tools())),
				Door.of("a `ChatClient.Builder` bean of your own",
						(visit) -> visit.ask(visit.in(OwnBuilder.class).client(), new Till.Tools()))
					.heldBy(Hook.OUTSIDE_THE_LOOP, Hook.INSIDE_THE_LOOP),
				Door.of("two models with a `ChatClient.Builder` bean each", ApplicationDoors::twoModels)
					.heldBy(Hook.OUTSIDE_THE_LOOP, Hook.INSIDE_THE_LOOP));
	}

	private static void limited(Visit visit) {
		Visit there = visit.in(Plain.class, "spring.ai.tools.limits.max-calls-per-tool.pay=2",
				"spring.ai.tools.limits.on-limit-exceeded=return-error-response");
		visit.model()
			.rounds(Visit.nextCall(1),
					calls(call("call_2", "pay", Visit.REWRITTEN), call("call_3", "pay", Visit.ARGUMENTS)));
		there.ask(there.client(), new Till.Tools());
		assertThat(visit.model().lastToolResponses()).extracting(ToolResponse::id)
			.containsExactly("call_1", "call_2", "call_3");
	}

	private static void twoModels(Visit visit) {
		Visit there = visit.in(TwoModels.class);
		visit.replansInTheNextRequest();
		there.ask(there.context().getBean("cautious", ChatClient.Builder.class).build(), new Till.Tools());
		ScriptedChatModel other = there.bean(Other.class).model();
		other.rounds(Visit.nextCall(2));
		there.ask(there.context().getBean("bold", ChatClient.Builder.class).build(), new Till.Tools());
		assertThat(other.lastToolResponses()).containsExactly(new ToolResponse("call_2", "pay", Matrix.RECEIPT));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Plain {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class ProviderBean {

		@Bean
		ToolCallbackProvider tools() {
			return MethodToolCallbackProvider.builder().toolObjects(new Till.Tools()).build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class OwnBuilder {

		@Bean
		ChatClient.Builder chatClientBuilder(ChatModel model) {
			return ChatClient.builder(model);
		}

	}

	record Other(ScriptedChatModel model) {
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class TwoModels {

		@Bean
		Other other() {
			return new Other(new ScriptedChatModel());
		}

		@Bean
		ChatClient.Builder cautious(ChatModel model) {
			return ChatClient.builder(model);
		}

		@Bean
		ChatClient.Builder bold(Other other) {
			return ChatClient.builder(other.model());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class ParallelManager {

		@Bean
		ToolCallingManager toolCallingManager() {
			return new Parallel((call) -> new Thread(call).start());
		}

	}

	/** All calls of a message at the same time, or by an executor of the test's. */
	record Parallel(Executor executor) implements ToolCallingManager {

		@Override
		public List<ToolDefinition> resolveToolDefinitions(ToolCallingChatOptions options) {
			return options.getToolCallbacks().stream().map(ToolCallback::getToolDefinition).toList();
		}

		@Override
		public ToolExecutionResult executeToolCalls(Prompt prompt, ChatResponse response) {
			AssistantMessage message = response.getResult().getOutput();
			ToolCallingChatOptions options = (ToolCallingChatOptions) prompt.getOptions();
			ToolContext context = new ToolContext(options.getToolContext());
			List<CompletableFuture<ToolResponse>> running = message.getToolCalls()
				.stream()
				.map((call) -> CompletableFuture.supplyAsync(() -> run(options, call, context), this.executor))
				.toList();
			List<Message> conversation = new ArrayList<>(prompt.getInstructions());
			conversation.add(message);
			conversation.add(ToolResponseMessage.builder()
				.responses(running.stream().map(CompletableFuture::join).toList())
				.build());
			return ToolExecutionResult.builder().conversationHistory(conversation).build();
		}

		private static ToolResponse run(ToolCallingChatOptions options, AssistantMessage.ToolCall call,
				ToolContext context) {
			ToolCallback tool = options.getToolCallbacks()
				.stream()
				.filter((candidate) -> candidate.getToolDefinition().name().equals(call.name()))
				.findFirst()
				.orElseThrow();
			return new ToolResponse(call.id(), call.name(), tool.call(call.arguments(), context));
		}

	}

}
