package io.github.idem.tool;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.idem.IdempotentTools;
import io.github.idem.testing.H2Files;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.client.advisor.ToolCallingAdvisor;
import org.springframework.ai.chat.client.advisor.api.Advisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.support.ToolCallbacks;

import static io.github.idem.tool.ScriptedChatModel.call;
import static io.github.idem.tool.ScriptedChatModel.calls;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tool loops with a manager of their own tell nobody which call they run; repeats that
 * are meant are told apart by what the model was observed to ask for.
 */
class OwnManagerTest extends ToolCallTest {

	private static final String COFFEE = "{\"size\":\"small\"}";

	@Override
	Map<String, Object> database() {
		return Map.of("spring.datasource.url", H2Files.newDatabase());
	}

	@ParameterizedTest
	@EnumSource
	void twoCoffeesAreTwoEffectsAndTheTaskReplayedIsNoThird(Mode mode) {
		this.model.rounds(calls(call("a", "buyCoffee", COFFEE), call("b", "buyCoffee", COFFEE)));
		ask(mode, client(), this.payments, RequestDoors.loop());
		assertThat(this.payments.entered).extracting(Payments.Entry::toolCallId).containsExactly("a", "b");
		ask(mode, client(), this.payments, RequestDoors.loop());
		assertThat(this.payments.entered).as("the task replayed").hasSize(2);
		assertThat(this.model.lastToolResponses()).containsExactly(new ToolResponse("a", "buyCoffee", "\"coffee #0\""),
				new ToolResponse("b", "buyCoffee", "\"coffee #1\""));
	}

	@ParameterizedTest
	@EnumSource
	void coffeesInLaterMessagesAreNewEffectsEvenUnderTheSameId(Mode mode) {
		this.model.rounds(calls(call("a", "buyCoffee", COFFEE)), calls(call("a", "buyCoffee", COFFEE)));
		ask(mode, client(), this.payments, RequestDoors.loop());
		assertThat(this.payments.entered).hasSize(2);
		ask(mode, client(), this.payments, RequestDoors.loop());
		assertThat(this.payments.entered).as("the task replayed").hasSize(2);
	}

	@ParameterizedTest
	@EnumSource
	void aConversationThatMemoryCutsShortDoesNotHideEarlierCoffees(Mode mode) {
		AtomicInteger round = new AtomicInteger();
		this.model.script((prompt) -> (round.incrementAndGet() <= 3) ? calls(call("call_" + round, "buyCoffee", COFFEE))
				: new AssistantMessage("done"));
		Advisor memory = MessageChatMemoryAdvisor.builder(MessageWindowChatMemory.builder().maxMessages(2).build())
			.order(ToolCallingAdvisor.DEFAULT_ORDER + 100)
			.build();
		ask(mode, client(), this.payments, memory,
				ToolCallingAdvisor.builder().disableInternalConversationHistory().build());
		assertThat(this.payments.entered).extracting(Payments.Entry::toolCallId)
			.containsExactly("call_1", "call_2", "call_3");
	}

	@ParameterizedTest
	@EnumSource
	void anAnswerThatIsThrownAwayInsideTheLoopDoesNotCount(Mode mode) {
		this.model.rounds(calls(call("a", "buyCoffee", COFFEE)));
		ask(mode, client(), this.payments, new Repeating(0), RequestDoors.loop());
		ask(mode, client(), this.payments, RequestDoors.loop());
		assertThat(this.payments.entered).as("the task replayed, with nothing thrown away").hasSize(1);
	}

	@ParameterizedTest
	@EnumSource
	void aClientThatWasGivenTheAdvisorsTwiceCountsOnce(Mode mode) {
		ChatClient.Builder twice = this.context.getBean(ChatClient.Builder.class).clone();
		this.context.getBean(IdempotentAdvisors.class).customize(twice);
		this.model.rounds(calls(call("a", "buyCoffee", COFFEE)));
		ask(mode, twice.build(), this.payments, RequestDoors.loop());
		ask(mode, client(), this.payments, RequestDoors.loop());
		assertThat(this.payments.entered).as("the task replayed by another client").hasSize(1);
	}

	@ParameterizedTest
	@EnumSource
	void toolsThatWereWrappedByHandKnowTheirCalls(Mode mode) {
		this.model.rounds(calls(call("a", "buyCoffee", COFFEE), call("b", "buyCoffee", COFFEE)));
		Object wrapped = IdempotentTools.wrap(ToolCallbacks.from(this.payments));
		ask(mode, client(), wrapped, RequestDoors.loop());
		ask(mode, client(), wrapped, RequestDoors.loop());
		assertThat(this.payments.entered).extracting(Payments.Entry::requestId).containsExactly("t1:a", "t1:b");
	}

	private ChatClient client() {
		return this.context.getBean(ChatClient.Builder.class).build();
	}

	private void ask(Mode mode, ChatClient client, Object tools, Advisor... advisors) {
		ChatClient.ChatClientRequestSpec request = client.prompt("please")
			.tools(tools)
			.toolContext(Map.of("task_id", "t1"))
			.advisors(advisors)
			.advisors((spec) -> spec.param(ChatMemory.CONVERSATION_ID, "c1"));
		if (mode == Mode.CALL) {
			request.call().content();
		}
		else {
			request.stream().content().collectList().block();
		}
	}

}
