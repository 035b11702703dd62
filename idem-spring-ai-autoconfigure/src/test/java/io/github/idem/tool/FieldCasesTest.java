package io.github.idem.tool;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.github.idem.IdempotentCall;
import io.github.idem.Operation;
import io.github.idem.OperationStatus;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.messages.UserMessage;
import org.springframework.ai.tool.execution.ToolExecutionException;

import static io.github.idem.tool.ScriptedChatModel.call;
import static io.github.idem.tool.ScriptedChatModel.calls;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What models, clients and frameworks were seen to do, as public bug reports tell, and
 * what is right then. Each over {@code call} and {@code stream}.
 */
abstract class FieldCasesTest extends ToolCallTest {

	private static final String ONE = "{\"user\":\"u1\",\"amount\":29.9}";

	private static final String ONE_REWRITTEN = "{\"amount\":29.90, \"user\":\"u1\"}";

	private static final String TWO = "{\"user\":\"u1\",\"amount\":30}";

	@ParameterizedTest
	@EnumSource
	void theSameCallTwiceInOneMessageEntersTheToolOnceAndIsAnsweredTwice(Mode mode) {
		this.model.rounds(calls(call("call_1", "pay", ONE), call("call_1", "pay", ONE)));
		assertThat(ask(mode, "t1")).isEqualTo("done");
		assertThat(this.payments.entered).hasSize(1);
		assertThat(this.model.lastToolResponses()).extracting(ToolResponse::id, ToolResponse::responseData)
			.containsExactly(tuple("call_1", "\"paid 29.9 as #0\""), tuple("call_1", "\"paid 29.9 as #0\""));
	}

	@ParameterizedTest
	@EnumSource
	void twoIdsWithArgumentsThatMeanTheSameAreOneEffectWithTheSameText(Mode mode) {
		this.model.rounds(calls(call("call_1", "pay", ONE), call("call_2", "pay", ONE_REWRITTEN)));
		ask(mode, "t1");
		assertThat(this.payments.entered).hasSize(1);
		assertThat(this.model.lastToolResponses()).extracting(ToolResponse::id, ToolResponse::responseData)
			.containsExactly(tuple("call_1", "\"paid 29.9 as #0\""), tuple("call_2", "\"paid 29.9 as #0\""));
	}

	@ParameterizedTest
	@EnumSource
	void aReplanUnderANewIdInTheSameTaskIsReplayed(Mode mode) {
		this.model.rounds(calls(call("call_1", "pay", ONE)), calls(call("call_2", "pay", ONE_REWRITTEN)));
		ask(mode, "t1");
		assertThat(this.payments.entered).hasSize(1);
		assertThat(this.model.lastToolResponses()).extracting(ToolResponse::responseData)
			.containsExactly("\"paid 29.9 as #0\"", "\"paid 29.9 as #0\"");
		assertThat(onlyOperation("t1", "call_1").requestId()).isEqualTo("t1:call_1");
	}

	@ParameterizedTest
	@EnumSource
	void theWholeRequestRepeatedAfterTheModelFailedIsReplayed(Mode mode) {
		this.model.script((prompt) -> {
			if (prompt.getInstructions().stream().anyMatch(ToolResponseMessage.class::isInstance)) {
				throw new IllegalStateException("500 from the model");
			}
			return calls(call("call_1", "pay", ONE));
		});
		assertThatIllegalStateException().isThrownBy(() -> ask(mode, "t1"));
		this.model.rounds(calls(call("call_9", "pay", ONE_REWRITTEN)));
		assertThat(ask(mode, "t1")).isEqualTo("done");
		assertThat(this.payments.entered).hasSize(1);
	}

	@ParameterizedTest
	@EnumSource
	void oneOfTwoToolsThrowsBothResultsAreLostAndTheOneThatSucceededIsReplayed(Mode mode) {
		this.model.rounds(calls(call("call_1", "pay", ONE), call("call_2", "fetch", "{\"what\":\"receipt\"}")));
		assertThatExceptionOfType(ToolExecutionException.class).isThrownBy(() -> ask(mode, "t1"));
		this.model.rounds(calls(call("call_3", "pay", ONE), call("call_4", "fetch", "{\"what\":\"receipt\"}")));
		assertThat(ask(mode, "t1")).isEqualTo("done");
		assertThat(this.payments.entered).extracting(Payments.Entry::tool).containsExactly("pay", "fetch");
		assertThat(this.model.lastToolResponses()).extracting(ToolResponse::responseData)
			.containsExactly("\"paid 29.9 as #0\"", "\"fetched\"");
	}

	@ParameterizedTest
	@EnumSource
	void aToolThatAsksAnotherModelIsInItsOwnCallAgainAfterwards(Mode mode) {
		List<String> current = new ArrayList<>();
		this.payments.before = (entry) -> {
			if (entry.tool().equals("pay")) {
				ScriptedChatModel other = new ScriptedChatModel();
				other.rounds(calls(call("call_1", "issueCoupon", "{\"user\":\"u1\"}")));
				clientOf(other).prompt("please")
					.tools(this.payments)
					.toolContext(Map.of("task_id", "inner"))
					.call()
					.content();
			}
			current.add(IdempotentCall.current().map(IdempotentCall::requestId).orElse("none"));
		};
		this.model.rounds(calls(call("call_1", "pay", ONE)));
		ask(mode, "outer");
		assertThat(current).containsExactly("inner:call_1", "outer:call_1");
		assertThat(this.payments.entered).extracting(Payments.Entry::requestId)
			.containsExactly("inner:call_1", "outer:call_1");
		assertThat(IdempotentCall.current()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource
	void blankIdsWithDifferentArgumentsRunOnceEach(Mode mode) {
		this.model.rounds(calls(call("", "pay", ONE), call("", "pay", TWO)), calls(call("", "pay", ONE)),
				calls(call(" ", "pay", TWO), call(null, "pay", "{\"user\":\"u2\",\"amount\":1}")));
		ask(mode, "t1");
		assertThat(this.payments.entered).extracting(Payments.Entry::what)
			.containsExactly("u1 29.9", "u1 30.0", "u2 1.0");
		assertThat(this.payments.entered).extracting(Payments.Entry::requestId)
			.doesNotHaveDuplicates()
			.allMatch((id) -> id.startsWith("t1:"));
	}

	@ParameterizedTest
	@EnumSource
	void oneIdForAllParallelCallsStillMakesTwoOperations(Mode mode) {
		this.model.rounds(calls(call("call_x", "pay", ONE), call("call_x", "pay", TWO)));
		ask(mode, "t1");
		assertThat(this.payments.entered).hasSize(2)
			.extracting(Payments.Entry::requestId)
			.doesNotHaveDuplicates()
			.first()
			.isEqualTo("t1:call_x");
		assertThat(this.store.findByToolCall("t1", "call_x")).hasSize(2);
	}

	@ParameterizedTest
	@EnumSource
	void aConstantIdOverFiftyRoundsWithDifferentArgumentsIsFiftyEffects(Mode mode) {
		this.model.rounds(IntStream.range(0, 50)
			.mapToObj((round) -> calls(call("call_0", "pay", "{\"user\":\"u1\",\"amount\":%d}".formatted(round))))
			.toArray(AssistantMessage[]::new));
		ask(mode, "t1");
		assertThat(this.payments.entered).hasSize(50).extracting(Payments.Entry::requestId).doesNotHaveDuplicates();
	}

	@ParameterizedTest
	@EnumSource
	void idsThatTheModelSendsAsArgumentsAreDropped(Mode mode) {
		String forged = "{\"user\":\"u1\",\"amount\":\"29.9\",\"request_id\":\"mine\",\"task_id\":\"mine\",\"tool_call_id\":\"x\"}";
		String plain = "{\"user\":\"u1\",\"amount\":\"29.9\"}";
		this.model.rounds(calls(call("call_1", "charge", forged)), calls(call("call_2", "charge", plain)));
		ask(mode, "t1");
		assertThat(this.payments.entered).singleElement()
			.extracting(Payments.Entry::requestId, Payments.Entry::taskId, Payments.Entry::toolCallId)
			.containsExactly("t1:call_1", "t1", "call_1");
		assertThat(this.payments.contexts.get(0).getContext()).containsEntry(IdempotentCall.REQUEST_ID, "t1:call_1")
			.containsEntry(IdempotentCall.TASK_ID, "t1")
			.containsEntry(IdempotentCall.TOOL_CALL_ID, "call_1");
	}

	@ParameterizedTest
	@EnumSource
	void whereARepeatIsMeantTwoCallsAreTwoEffectsAndTheSameCallAgainIsNoThird(Mode mode) {
		String coffee = "{\"size\":\"small\"}";
		this.model.rounds(
				calls(call("a", "buyCoffee", coffee), call("b", "buyCoffee", coffee), call("b", "buyCoffee", coffee)));
		ask(mode, "t1");
		assertThat(this.payments.entered).hasSize(2);
		assertThat(this.model.lastToolResponses()).extracting(ToolResponse::responseData)
			.containsExactly("\"coffee #0\"", "\"coffee #1\"", "\"coffee #1\"");
		ask(mode, "t1");
		assertThat(this.payments.entered).as("the task replayed").hasSize(2);
		assertThat(this.model.lastToolResponses()).extracting(ToolResponse::responseData)
			.containsExactly("\"coffee #0\"", "\"coffee #1\"", "\"coffee #1\"");
	}

	@ParameterizedTest
	@EnumSource
	void whereARepeatIsMeantALaterMessageIsANewEffectEvenUnderTheSameId(Mode mode) {
		String coffee = "{\"size\":\"small\"}";
		this.model.rounds(calls(call("a", "buyCoffee", coffee)), calls(call("a", "buyCoffee", coffee)));
		ask(mode, "t1");
		assertThat(this.payments.entered).hasSize(2);
		ask(mode, "t1");
		assertThat(this.payments.entered).as("the task replayed").hasSize(2);
	}

	@ParameterizedTest
	@EnumSource
	void whereARepeatIsMeantTheConversationARequestBringsAlongDoesNotCount(Mode mode) {
		String coffee = "{\"size\":\"small\"}";
		this.model.rounds(calls(call("a", "buyCoffee", coffee)));
		ask(mode, "t1");
		ToolResponseMessage told = ToolResponseMessage.builder()
			.responses(List.of(new ToolResponse("a", "buyCoffee", "coffee #0")))
			.build();
		this.model.script((
				prompt) -> (prompt.getInstructions().stream().filter(ToolResponseMessage.class::isInstance).count() > 1)
						? new AssistantMessage("done") : calls(call("b", "buyCoffee", coffee)));
		ask(mode, (request) -> request.toolContext(Map.of("task_id", "t1"))
			.messages(new UserMessage("please"), calls(call("a", "buyCoffee", coffee)), told));
		assertThat(this.payments.entered).as("the same task, with what was said before").hasSize(1);
	}

	@ParameterizedTest
	@EnumSource
	void whereARepeatIsMeantADeclinedOneIsTakenAgainInsteadOfCountedPast(Mode mode) {
		String coffee = "{\"size\":\"small\"}";
		this.payments.before = (entry) -> {
			if (entry.attempt() == 1) {
				throw Payments.declined();
			}
		};
		this.model.rounds(calls(call("a", "buyCoffee", coffee)), calls(call("b", "buyCoffee", coffee)));
		ask(mode, "t1");
		assertThat(this.payments.entered).singleElement().extracting(Payments.Entry::attempt).isEqualTo(2);
		this.model.rounds(calls(call("c", "buyCoffee", coffee)));
		ask(mode, "t1");
		assertThat(this.payments.entered).as("the task replayed, the model calls once").hasSize(1);
	}

	@ParameterizedTest
	@EnumSource
	void whereARepeatIsMeantADeclinedOneDoesNotShiftTheOnesAfterIt(Mode mode) {
		String coffee = "{\"size\":\"small\"}";
		this.payments.before = (entry) -> {
			if (entry.attempt() == 1 && entry.toolCallId().equals("a")) {
				throw Payments.declined();
			}
		};
		this.model.rounds(calls(call("a", "buyCoffee", coffee)), calls(call("b", "buyCoffee", coffee)),
				calls(call("c", "buyCoffee", coffee)));
		ask(mode, "t1");
		assertThat(this.payments.entered).hasSize(2);
		this.model.rounds(calls(call("x", "buyCoffee", coffee)), calls(call("y", "buyCoffee", coffee)));
		ask(mode, "t1");
		assertThat(this.payments.entered).as("the task replayed, with two coffees asked for").hasSize(2);
		assertThat(this.model.lastToolResponses()).extracting(ToolResponse::responseData)
			.containsExactly("\"coffee #0\"", "\"coffee #1\"");
	}

	@ParameterizedTest
	@EnumSource
	void whereARepeatIsMeantOneInDoubtAnswersForLaterOnes(Mode mode) {
		String coffee = "{\"size\":\"small\"}";
		this.payments.before = (entry) -> {
			throw new IllegalStateException("connection reset");
		};
		this.model.rounds(calls(call("a", "buyCoffee", coffee)), calls(call("b", "buyCoffee", coffee)));
		ask(mode, "t1");
		assertThat(rows()).isOne();
		assertThat(this.model.lastToolResponses()).extracting(ToolResponse::responseData)
			.allMatch((text) -> text.contains("IN_DOUBT"));
	}

	@ParameterizedTest
	@EnumSource
	void whereAReplanIsRejectedTheModelIsToldThatItWasDone(Mode mode) {
		String user = "{\"user\":\"u1\"}";
		this.model.rounds(calls(call("a", "issueCoupon", user), call("a", "issueCoupon", user)),
				calls(call("b", "issueCoupon", user)));
		ask(mode, "t1");
		assertThat(this.payments.entered).hasSize(1);
		List<ToolResponse> responses = this.model.lastToolResponses();
		assertThat(responses.get(1).responseData()).isEqualTo("\"coupon\"");
		assertThat(responses.get(2).responseData()).contains("\"status\":\"ALREADY_DONE\"")
			.contains("\"request_id\":\"t1:a\"");
	}

	@ParameterizedTest
	@EnumSource
	void differentArgumentsAreDifferentCalls(Mode mode) {
		this.model.rounds(calls(call("call_1", "pay", ONE), call("call_2", "pay", TWO)));
		ask(mode, "t1");
		assertThat(this.payments.entered).hasSize(2);
	}

	@ParameterizedTest
	@EnumSource
	void equalCallsOfDifferentTasksAreDifferentOperations(Mode mode) {
		this.model.rounds(calls(call("call_1", "pay", ONE)));
		ask(mode, "t1");
		ask(mode, "t2");
		assertThat(this.payments.entered).extracting(Payments.Entry::requestId)
			.containsExactly("t1:call_1", "t2:call_1");
	}

	@ParameterizedTest
	@EnumSource
	void aDefiniteFailureIsNotCachedTheNextCallRunsAgainUnderTheSameRequestId(Mode mode) {
		this.payments.before = (entry) -> {
			if (entry.attempt() == 1) {
				throw Payments.declined();
			}
		};
		this.model.rounds(calls(call("call_1", "pay", ONE)), calls(call("call_2", "pay", ONE)));
		ask(mode, "t1");
		assertThat(this.model.lastToolResponses()).extracting(ToolResponse::responseData)
			.containsExactly("card declined", "\"paid 29.9 as #0\"");
		assertThat(this.payments.entered).singleElement()
			.extracting(Payments.Entry::requestId, Payments.Entry::attempt, Payments.Entry::toolCallId)
			.containsExactly("t1:call_1", 2, "call_2");
		assertThat(onlyOperation("t1", "call_1").status()).isEqualTo(OperationStatus.SUCCEEDED);
	}

	@ParameterizedTest
	@EnumSource
	void anExceptionTheToolDeclaredHarmlessIsADefiniteFailure(Mode mode) {
		this.payments.before = (entry) -> {
			if (entry.attempt() == 1) {
				throw new IllegalArgumentException("no such order");
			}
		};
		this.model.rounds(calls(call("call_1", "refund", "{\"order\":\"o1\",\"reason\":\"cold\"}")),
				calls(call("call_2", "refund", "{\"order\":\"o1\",\"reason\":\"it was cold\"}")));
		ask(mode, "t1");
		assertThat(this.model.lastToolResponses()).extracting(ToolResponse::responseData)
			.containsExactly("no such order", "\"refunded\"");
	}

	@ParameterizedTest
	@EnumSource
	void anExceptionOfUnknownMeaningLeavesTheCallInDoubtAndItIsNotMadeAgain(Mode mode) {
		this.payments.before = (entry) -> {
			throw new IllegalStateException("Read timed out");
		};
		this.model.rounds(calls(call("call_1", "pay", ONE)), calls(call("call_2", "pay", ONE)));
		ask(mode, "t1");
		Operation operation = onlyOperation("t1", "call_1");
		assertThat(operation).extracting(Operation::status, Operation::attempt, Operation::mayHaveApplied)
			.containsExactly(OperationStatus.IN_DOUBT, 1, true);
		assertThat(this.model.lastToolResponses()).hasSize(2)
			.extracting(ToolResponse::responseData)
			.allSatisfy((text) -> assertThat(text).contains("\"status\":\"IN_DOUBT\"")
				.contains("\"request_id\":\"t1:call_1\"")
				.contains("Do not call")
				.doesNotContainIgnoringCase("try again"));
	}

	@ParameterizedTest
	@EnumSource
	void anErrorLeavesTheCallInDoubtAndReachesTheCallerNotTheModel(Mode mode) {
		this.payments.before = (entry) -> {
			throw new NoClassDefFoundError("com/example/Receipt");
		};
		this.model.rounds(calls(call("call_1", "pay", ONE)));
		assertThatThrownBy(() -> ask(mode, "t1")).hasRootCauseInstanceOf(NoClassDefFoundError.class);
		assertThat(this.model.timesCalled()).isOne();
		assertThat(onlyOperation("t1", "call_1").status()).isEqualTo(OperationStatus.IN_DOUBT);
	}

	@ParameterizedTest
	@EnumSource
	void anArgumentThatIsIgnoredDoesNotMakeACallDifferent(Mode mode) {
		this.model.rounds(calls(call("call_1", "refund", "{\"order\":\"o1\",\"reason\":\"cold\"}")),
				calls(call("call_2", "refund", "{\"order\":\"o1\",\"reason\":\"The coffee was cold.\"}")));
		ask(mode, "t1");
		assertThat(this.payments.entered).hasSize(1);
	}

	@ParameterizedTest
	@EnumSource
	void numbersAreTheSameHoweverTheyAreWritten(Mode mode) {
		this.model.rounds(Arrays.stream(new String[] { "1", "1.0", "1e0" })
			.map((number) -> calls(call("c" + number, "pay", "{\"user\":\"u1\",\"amount\":%s}".formatted(number))))
			.toArray(AssistantMessage[]::new));
		ask(mode, "t1");
		assertThat(this.payments.entered).hasSize(1);
	}

	@ParameterizedTest
	@EnumSource
	void anAbsentOptionalArgumentIsTheSameAsNull(Mode mode) {
		this.model.rounds(calls(call("call_1", "pay", "{\"user\":\"u1\",\"amount\":1,\"note\":null}")),
				calls(call("call_2", "pay", "{\"user\":\"u1\",\"amount\":1}")));
		ask(mode, "t1");
		assertThat(this.payments.entered).hasSize(1);
	}

	@ParameterizedTest
	@EnumSource
	void aToolWithoutAnnotationIsUntouched(Mode mode) {
		this.model.rounds(calls(call("call_1", "menu", "{}")), calls(call("call_2", "menu", "{}")));
		ask(mode, "t1");
		assertThat(this.payments.entered).hasSize(2);
		assertThat(this.payments.contexts.get(0).getContext()).isEqualTo(Map.of("task_id", "t1"));
		assertThat(rows()).isZero();
	}

	private Operation onlyOperation(String taskId, String toolCallId) {
		List<Operation> operations = this.store.findByToolCall(taskId, toolCallId);
		assertThat(operations).hasSize(1);
		return operations.get(0);
	}

	private static org.assertj.core.groups.Tuple tuple(Object... values) {
		return org.assertj.core.groups.Tuple.tuple(values);
	}

}
