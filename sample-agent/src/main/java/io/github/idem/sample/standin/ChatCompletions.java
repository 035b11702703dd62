package io.github.idem.sample.standin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes an answer as OpenAI's chat completions API does, in one piece or as a stream.
 */
final class ChatCompletions {

	private static final JsonMapper JSON = JsonMapper.shared();

	private ChatCompletions() {
	}

	static String whole(Answer answer) {
		Map<String, @Nullable Object> message = new LinkedHashMap<>();
		message.put("role", "assistant");
		message.put("content", (answer instanceof Answer.Text text) ? text.text() : null);
		if (answer instanceof Answer.ToolCalls toolCalls) {
			message.put("tool_calls",
					toolCalls.calls().stream().map((call) -> toolCall(call, call.arguments())).toList());
		}
		Map<String, Object> usage = Map.of("prompt_tokens", 1, "completion_tokens", 1, "total_tokens", 2);
		return JSON.writeValueAsString(envelope("chat.completion", Map.of("message", message), finish(answer), usage));
	}

	static String stream(Answer answer) {
		List<String> events = new ArrayList<>();
		if (answer instanceof Answer.Text text) {
			pieces(text.text()).forEach((piece) -> events.add(chunk("content", piece)));
		}
		else if (answer instanceof Answer.ToolCalls toolCalls) {
			for (int i = 0; i < toolCalls.calls().size(); i++) {
				Answer.ToolCall call = toolCalls.calls().get(i);
				events.add(toolCallChunk(i, toolCall(call, "")));
				for (String piece : pieces(call.arguments())) {
					events.add(toolCallChunk(i, Map.of("function", Map.of("arguments", piece))));
				}
			}
		}
		events.add(chunk(Map.of(), finish(answer)));
		events.add("[DONE]");
		StringBuilder stream = new StringBuilder();
		events.forEach((event) -> stream.append("data: ").append(event).append("\n\n"));
		return stream.toString();
	}

	private static Map<String, Object> toolCall(Answer.ToolCall call, String arguments) {
		return Map.of("id", call.id(), "type", "function", "function",
				Map.of("name", call.name(), "arguments", arguments));
	}

	private static String toolCallChunk(int index, Map<String, Object> toolCall) {
		Map<String, Object> indexed = new LinkedHashMap<>(toolCall);
		indexed.put("index", index);
		return chunk("tool_calls", List.of(indexed));
	}

	private static String chunk(String field, Object value) {
		return chunk(Map.of("role", "assistant", field, value), null);
	}

	private static String chunk(Map<String, Object> delta, @Nullable String finish) {
		return JSON.writeValueAsString(envelope("chat.completion.chunk", Map.of("delta", delta), finish, null));
	}

	private static Map<String, @Nullable Object> envelope(String object, Map<String, ?> content,
			@Nullable String finish, @Nullable Object usage) {
		Map<String, @Nullable Object> choice = new LinkedHashMap<>(content);
		choice.put("index", 0);
		choice.put("finish_reason", finish);
		Map<String, @Nullable Object> envelope = new LinkedHashMap<>();
		envelope.put("id", "chatcmpl-scripted");
		envelope.put("object", object);
		envelope.put("created", 0);
		envelope.put("model", "scripted");
		envelope.put("choices", List.of(choice));
		envelope.put("usage", usage);
		return envelope;
	}

	private static String finish(Answer answer) {
		return (answer instanceof Answer.ToolCalls) ? "tool_calls" : "stop";
	}

	// Cut in two, because a stream that is never cut tests nothing.
	private static List<String> pieces(String text) {
		int middle = text.length() / 2;
		return List.of(text.substring(0, middle), text.substring(middle));
	}

}
