package io.github.idem.tool;

import java.util.List;
import java.util.concurrent.CountDownLatch;

import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import io.github.idem.operation.OperationStore;
import io.github.idem.tool.ToolCallTest.Mode;
import org.awaitility.Awaitility;
import reactor.core.Disposable;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.client.advisor.StructuredOutputValidationAdvisor;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.client.advisor.api.AdvisorChain;
import org.springframework.ai.chat.client.advisor.api.BaseAdvisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.model.tool.ToolCallingManager;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;

import static org.assertj.core.api.Assertions.assertThat;

/** Doors that lie in how the model is asked. */
final class RequestDoors {

	/** Where advisors stand that do not belong to a tool loop. */
	private static final int OUTSIDE = ToolCallingAdvisor.DEFAULT_ORDER - 20;

	private static final String VALID = "{\"user\":\"u1\",\"amount\":29.9}";

	private RequestDoors() {
	}

	static List<Door> all() {
		return List.of(Door.of("`.call()`", (visit) -> visit.ask(visit.client(), new Till.Tools())).only(Mode.CALL),
				Door.of("`.stream()`", (visit) -> visit.ask(visit.client(), new Till.Tools())).only(Mode.STREAM),
				Door.of("`.stream()`, cancelled while the tool runs", RequestDoors::cancelled).only(Mode.STREAM),
				Door.of("`returnDirect`", RequestDoors::returnDirect),
				Door.of("`.entity(...)` after tools", RequestDoors::entity).only(Mode.CALL),
				Door.of("a `ToolCallingAdvisor` of your own with a manager of its own", RequestDoors::ownManager)
					.heldBy(Hook.OUTSIDE_THE_LOOP, Hook.INSIDE_THE_LOOP),
				Door.of("a tool loop of your own with the `ToolCallingManager` bean",
						(visit) -> visit.loop(visit.bean(ToolCallingManager.class),
								ToolCallbacks.from(new Till.Tools())))
					.only(Mode.CALL)
					.heldBy(Hook.MANAGER),
				Door.of("tools that an advisor brings into each iteration, as tool search does",
						(visit) -> visit.ask(with(visit.client(),
								new ToolSearch(visit.bean(ToolCallingManager.class),
										ToolCallbacks.from(new Till.Tools())))))
					.heldBy(Hook.MANAGER),
				Door.of("tools that another advisor adds",
						(visit) -> visit
							.ask(with(visit.client(), new Adding(OUTSIDE, ToolCallbacks.from(new Till.Tools()))))),
				Door.of("tools that another advisor adds, for a manager of its own",
						(visit) -> visit.ask(with(visit.client(),
								new Adding(OUTSIDE, ToolCallbacks.from(new Till.Tools())), loop())))
					.heldBy(Hook.OUTSIDE_THE_LOOP, Hook.INSIDE_THE_LOOP),
				Door.of("default tools of the builder",
						(visit) -> visit.ask(visit.builder().defaultTools(new Till.Tools()).build().prompt("please"))),
				Door.of("tools in the options of the request",
						(visit) -> visit.ask(visit.client().prompt("please").options(options()))),
				Door.of("tools in the options of a `Prompt`",
						(visit) -> visit.ask(visit.client().prompt(new Prompt("please", options().build())))),
				Door.of("a client that was `mutate()`d",
						(visit) -> visit.ask(visit.client().mutate().defaultSystem("Be brief.").build(),
								new Till.Tools())),
				Door.of("a client of a cloned builder",
						(visit) -> visit.ask(visit.builder().clone().build(), new Till.Tools())),
				Door.of("a request that was `mutate()`d",
						(visit) -> visit
							.ask(visit.client().prompt("please").tools(new Till.Tools()).mutate().build().prompt())),
				Door.of("an advisor that repeats the request", (visit) -> repeated(visit, new Repeating(OUTSIDE))),
				Door.of("an advisor that repeats the request, for a manager of its own",
						(visit) -> repeated(visit, new Repeating(OUTSIDE), loop()))
					.heldBy(Hook.OUTSIDE_THE_LOOP, Hook.INSIDE_THE_LOOP),
				Door.of("structured output that is validated, inside the loop", RequestDoors::validatedInside)
					.only(Mode.CALL),
				Door.of("structured output that is validated, outside the loop", RequestDoors::validatedOutside)
					.only(Mode.CALL),
				Door.of("chat memory in its default place",
						(visit) -> remembered(visit, Advisor.DEFAULT_CHAT_MEMORY_PRECEDENCE_ORDER)),
				Door.of("chat memory inside the loop",
						(visit) -> remembered(visit, ToolCallingAdvisor.DEFAULT_ORDER + 100)),
				Door.of("chat memory inside the loop, for a manager of its own",
						(visit) -> remembered(visit, ToolCallingAdvisor.DEFAULT_ORDER + 100,
								ToolCallingAdvisor.builder().disableInternalConversationHistory().build()))
					.heldBy(Hook.OUTSIDE_THE_LOOP, Hook.INSIDE_THE_LOOP));
	}

	/** A loop with a manager that nobody else sees. */
	static ToolCallingAdvisor loop() {
		return ToolCallingAdvisor.builder().toolCallingManager(ToolCallingManager.builder().build()).build();
	}

	static ChatClient.ChatClientRequestSpec with(ChatClient client, Advisor... advisors) {
		return client.prompt("please").advisors(advisors);
	}

	private static ToolCallingChatOptions.Builder<?> options() {
		return ToolCallingChatOptions.builder().toolCallbacks(ToolCallbacks.from(new Till.Tools()));
	}

	private static void ownManager(Visit visit) {
		visit.ask(with(visit.client(), loop()).tools(new Till.Tools()));
	}

	/** The tool takes no notice of the interruption that a cancelled stream brings. */
	private static void cancelled(Visit visit) throws InterruptedException {
		visit.replansInTheNextRequest();
		CountDownLatch entered = new CountDownLatch(1);
		CountDownLatch disposed = new CountDownLatch(1);
		visit.till().inside = () -> {
			entered.countDown();
			awaitUninterruptibly(disposed);
		};
		Disposable stream = visit.client()
			.prompt("please")
			.tools(new Till.Tools())
			.toolContext(visit.toolContext())
			.stream()
			.content()
			.subscribe();
		entered.await();
		stream.dispose();
		disposed.countDown();
		OperationStore store = visit.bean(OperationStore.class);
		Awaitility.await()
			.untilAsserted(() -> assertThat(store.find("t1:call_1")).map(Operation::status)
				.contains(OperationStatus.SUCCEEDED));
		visit.ask(visit.client(), new Till.Tools());
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		boolean interrupted = false;
		while (true) {
			try {
				latch.await();
				break;
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private static void returnDirect(Visit visit) {
		visit.replansInTheNextRequest();
		for (int request = 0; request < 2; request++) {
			assertThat(visit.ask(visit.client(), new Till.ReturnDirect())).isEqualTo("\"paid 29.9 as #0\"");
		}
		assertThat(visit.model().toolResponses()).as("the model saw nothing of it").isEmpty();
	}

	private static void entity(Visit visit) {
		visit.replansAndSays(VALID);
		assertThat(visit.client()
			.prompt("please")
			.tools(new Till.Tools())
			.toolContext(visit.toolContext())
			.call()
			.entity(Till.Payment.class)).isEqualTo(new Till.Payment("u1", 29.9));
	}

	private static void repeated(Visit visit, Advisor... advisors) {
		visit.replansInTheNextRequest();
		visit.ask(with(visit.client(), advisors).tools(new Till.Tools()));
	}

	/** In its default place the advisor asks again for each answer with tool calls. */
	private static void validatedInside(Visit visit) {
		visit.replansAndSays(VALID);
		assertThat(visit.ask(with(visit.client(), validation().build()).tools(new Till.Tools()))).isEqualTo(VALID);
	}

	private static void validatedOutside(Visit visit) {
		visit.says(Visit.nextCall(1), new AssistantMessage("not JSON"), Visit.nextCall(2), new AssistantMessage(VALID));
		Advisor validation = validation().advisorOrder(OUTSIDE).build();
		assertThat(visit.ask(with(visit.client(), validation).tools(new Till.Tools()))).isEqualTo(VALID);
	}

	private static StructuredOutputValidationAdvisor.Builder validation() {
		return StructuredOutputValidationAdvisor.builder().outputType(Till.Payment.class);
	}

	private static void remembered(Visit visit, int order, Advisor... more) {
		Advisor memory = MessageChatMemoryAdvisor.builder(MessageWindowChatMemory.builder().build())
			.order(order)
			.build();
		visit.ask(with(visit.client(), more).advisors(memory)
			.advisors((advisors) -> advisors.param(ChatMemory.CONVERSATION_ID, "c1"))
			.tools(new Till.Tools()));
	}

	/** Adds tools to a request from outside of the loop. */
	record Adding(int order, ToolCallback... tools) implements BaseAdvisor {

		@Override
		public ChatClientRequest before(ChatClientRequest request, AdvisorChain chain) {
			return ToolSearch.withTools(request, List.of(this.tools));
		}

		@Override
		public ChatClientResponse after(ChatClientResponse response, AdvisorChain chain) {
			return response;
		}

		@Override
		public int getOrder() {
			return this.order;
		}

	}

}
