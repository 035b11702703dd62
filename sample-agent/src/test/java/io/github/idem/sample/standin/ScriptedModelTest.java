package io.github.idem.sample.standin;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

class ScriptedModelTest {

	private static final String ARGUMENTS = "{\"user\":\"u1\",\"amount\":29.90}";

	private static final Message USER = new Message("user", "Coffee, please.");

	private static final Message ASSISTANT = new Message("assistant", "");

	private final StandIns standIns = new StandIns();

	private final RestClient http = RestClient.create();

	@BeforeEach
	void script() {
		this.standIns.script("test",
				ModelScript.of(
						Answer.calls(Answer.call("call_1", "charge", ARGUMENTS), Answer.call("call_2", "menu", "{}")),
						Answer.says("Paid.")));
	}

	@AfterEach
	void close() {
		this.standIns.close();
	}

	@Test
	void anAnswerCallsToolsWithTheArgumentsAsTheScriptHasThem() {
		JsonNode choice = ask(USER).at("/choices/0");

		assertThat(choice.at("/finish_reason").asString()).isEqualTo("tool_calls");
		assertThat(choice.at("/message/tool_calls")).hasSize(2);
		assertThat(choice.at("/message/tool_calls/0/id").asString()).isEqualTo("call_1");
		assertThat(choice.at("/message/tool_calls/0/function/name").asString()).isEqualTo("charge");
		assertThat(choice.at("/message/tool_calls/0/function/arguments").asString()).isEqualTo(ARGUMENTS);
	}

	@Test
	void theConversationTellsWhichAnswerIsNext() {
		Message result = new Message("tool", "done");

		assertThat(ask(USER, ASSISTANT, result).at("/choices/0/message/content").asString()).isEqualTo("Paid.");
		assertThat(ask(USER).at("/choices/0/finish_reason").asString()).isEqualTo("tool_calls");
		assertThat(ask(USER, ASSISTANT, result, ASSISTANT).at("/choices/0/message/content").asString())
			.isEqualTo("Paid.");
	}

	@Test
	void aStreamHasTheSameAnswerInPieces() {
		List<String> events = stream(USER);

		assertThat(events).last().isEqualTo("[DONE]");
		StringBuilder first = new StringBuilder();
		StringBuilder second = new StringBuilder();
		List<String> ids = new ArrayList<>();
		for (String event : events.subList(0, events.size() - 1)) {
			JsonNode call = JsonMapper.shared().readTree(event).at("/choices/0/delta/tool_calls/0");
			((call.path("index").asInt(0) == 0) ? first : second)
				.append(call.path("function").path("arguments").asString(""));
			if (call.has("id")) {
				ids.add(call.path("id").asString());
			}
		}
		assertThat(first).hasToString(ARGUMENTS);
		assertThat(second).hasToString("{}");
		assertThat(ids).containsExactly("call_1", "call_2");
		assertThat(events.get(events.size() - 2)).contains("\"finish_reason\":\"tool_calls\"");
	}

	@Test
	void aStreamedTextIsWhole() {
		StringBuilder text = new StringBuilder();
		for (String event : stream(USER, ASSISTANT)) {
			if (!event.equals("[DONE]")) {
				text.append(JsonMapper.shared().readTree(event).at("/choices/0/delta/content").asString(""));
			}
		}
		assertThat(text).hasToString("Paid.");
	}

	@Test
	void whatTheModelIsToldIsKeptOnceEach() {
		Message one = new Message("tool", "one");
		Message two = new Message("tool", List.of(Map.of("type", "text", "text", "two")));
		ask(USER);
		ask(USER, ASSISTANT, one);
		ask(USER, ASSISTANT, one, ASSISTANT, two);

		assertThat(this.standIns.toolResults("test")).containsExactly("one", "two");
		assertThat(this.standIns.toolResults("other")).isEmpty();
	}

	private JsonNode ask(Message... messages) {
		return JsonMapper.shared().readTree(send(false, List.of(messages)));
	}

	private List<String> stream(Message... messages) {
		return send(true, List.of(messages)).lines()
			.filter((line) -> !line.isEmpty())
			.map((line) -> line.substring("data: ".length()))
			.toList();
	}

	private String send(boolean stream, List<Message> messages) {
		return this.http.post()
			.uri(this.standIns.modelUrl("test") + "/chat/completions")
			.body(Map.of("model", "any", "stream", stream, "messages", messages))
			.retrieve()
			.body(String.class);
	}

	private record Message(String role, Object content) {
	}

}
