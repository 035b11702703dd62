package io.github.idem.tool;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.idem.IdempotentTools;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.augment.AugmentedToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

import static io.github.idem.tool.ScriptedChatModel.call;
import static io.github.idem.tool.ScriptedChatModel.calls;
import static org.assertj.core.api.Assertions.assertThat;

/** A protected tool stays one behind decorators, Spring AI's and others. */
abstract class DecoratedToolsTest extends ToolCallTest {

	@ParameterizedTest
	@EnumSource
	void aToolBehindADecoratorIsProtected(Mode mode) {
		this.model.rounds(calls(call("call_1", "pay", "{\"user\":\"u1\",\"amount\":29.9}")),
				calls(call("call_2", "pay", "{\"amount\":29.90,\"user\":\"u1\"}")));
		ask(mode, new Decorator(new Decorator(pay())), (request) -> request.toolContext(Map.of("task_id", "t1")));
		assertThat(this.payments.entered).singleElement().extracting(Payments.Entry::requestId).isEqualTo("t1:call_1");
	}

	@ParameterizedTest
	@EnumSource
	void anArgumentThatADecoratorAddsMakesACallDifferent(Mode mode) {
		ToolCallback augmented = new AugmentedToolCallback<>(pay(), Thought.class, null, true);
		String one = "{\"user\":\"u1\",\"amount\":29.9,\"why\":\"asked\"}";
		this.model.rounds(calls(call("call_1", "pay", one)), calls(call("call_2", "pay", one)),
				calls(call("call_3", "pay", one.replace("asked", "asked again"))));
		ask(mode, augmented, (request) -> request.toolContext(Map.of("task_id", "t1")));
		assertThat(this.payments.entered).extracting(Payments.Entry::requestId)
			.containsExactly("t1:call_1", "t1:call_3");
	}

	@ParameterizedTest
	@EnumSource
	void aToolThatWasWrappedByHandAndThenDecoratedDoesNotWaitForItself(Mode mode) {
		this.model.rounds(calls(call("call_1", "pay", "{\"user\":\"u1\",\"amount\":29.9}")));
		ask(mode, new Decorator(IdempotentTools.wrap(pay())[0]),
				(request) -> request.toolContext(Map.of("task_id", "t1")));
		assertThat(this.payments.entered).hasSize(1);
		assertThat(answer()).contains("paid 29.9");
	}

	@ParameterizedTest
	@EnumSource
	void aToolThatOnlyKeepsAnotherIsUntouched(Mode mode) {
		ToolDefinition look = ToolDefinition.builder().name("look").description("Looks").inputSchema("{}").build();
		ToolCallback menu = Arrays.stream(ToolCallbacks.from(this.payments))
			.filter((tool) -> tool.getToolDefinition().name().equals("refund"))
			.findFirst()
			.map((tool) -> (ToolCallback) new Keeper(look, tool))
			.orElseThrow();
		this.model.rounds(calls(call("call_1", "look", "{}")), calls(call("call_2", "look", "{}")));
		ask(mode, menu, (request) -> request.toolContext(Map.of("task_id", "t1")));
		assertThat(this.model.lastToolResponses()).extracting(ToolResponse::responseData)
			.containsExactly("seen 1", "seen 2");
		assertThat(rows()).isZero();
	}

	@Test
	void aToolIsTheSameToolHoweverOftenItIsWrapped() {
		ToolCallback[] tools = ToolCallbacks.from(this.payments);
		Set<ToolCallback> once = new HashSet<>(Arrays.asList(IdempotentTools.wrap(tools)));
		assertThat(once).hasSize(tools.length);
		once.addAll(Arrays.asList(IdempotentTools.wrap(tools)));
		assertThat(once).hasSize(tools.length).doesNotContain(tools);
	}

	private ToolCallback pay() {
		return Arrays.stream(ToolCallbacks.from(this.payments))
			.filter((tool) -> tool.getToolDefinition().name().equals("pay"))
			.findFirst()
			.orElseThrow();
	}

	record Thought(String why) {
	}

	private static final class Decorator implements ToolCallback {

		private final ToolCallback decorated;

		Decorator(ToolCallback decorated) {
			this.decorated = decorated;
		}

		@Override
		public ToolDefinition getToolDefinition() {
			return this.decorated.getToolDefinition();
		}

		@Override
		public String call(String toolInput) {
			return this.decorated.call(toolInput);
		}

		@Override
		public String call(String toolInput, @Nullable ToolContext toolContext) {
			return this.decorated.call(toolInput, toolContext);
		}

	}

	/** Has a tool at hand, for something else. */
	private static final class Keeper implements ToolCallback {

		private final AtomicInteger seen = new AtomicInteger();

		private final ToolDefinition definition;

		private final ToolCallback atHand;

		Keeper(ToolDefinition definition, ToolCallback atHand) {
			this.definition = definition;
			this.atHand = atHand;
		}

		@Override
		public ToolDefinition getToolDefinition() {
			return this.definition;
		}

		@Override
		public String call(String toolInput) {
			assertThat(this.atHand.getToolDefinition().name()).isEqualTo("refund");
			return "seen " + this.seen.incrementAndGet();
		}

	}

}
