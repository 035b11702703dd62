package io.github.idem.sample.standin;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import com.github.tomakehurst.wiremock.extension.ResponseDefinitionTransformerV2;
import com.github.tomakehurst.wiremock.http.ResponseDefinition;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The model: answers each conversation with the next answer of its run's script.
 */
final class ScriptedModel implements ResponseDefinitionTransformerV2 {

	static final String NAME = "scripted-model";

	private final Map<String, Role> roles = new ConcurrentHashMap<>();

	@Override
	public String getName() {
		return NAME;
	}

	@Override
	public boolean applyGlobally() {
		return false;
	}

	void play(String run, ModelScript script) {
		this.roles.put(run, new Role(script, new CopyOnWriteArrayList<>()));
	}

	/**
	 * The tool results that the model of a run was given, each once, as it read them.
	 */
	List<String> toolResults(String run) {
		Role role = this.roles.get(run);
		return (role != null) ? List.copyOf(role.heard()) : List.of();
	}

	@Override
	public ResponseDefinition transform(ServeEvent event) {
		Role role = this.roles.get(StandIns.run(event));
		if (role == null) {
			return ResponseDefinitionBuilder.responseDefinition().withStatus(404).build();
		}
		JsonNode request = JsonMapper.shared().readTree(event.getRequest().getBodyAsString());
		int given = 0;
		for (JsonNode message : request.path("messages")) {
			given += "assistant".equals(message.path("role").asString()) ? 1 : 0;
		}
		role.listen(request.path("messages"));
		Answer answer = role.script().next(given);
		return request.path("stream").asBoolean(false) ? response("text/event-stream", ChatCompletions.stream(answer))
				: response("application/json", ChatCompletions.whole(answer));
	}

	private static ResponseDefinition response(String contentType, String body) {
		return ResponseDefinitionBuilder.responseDefinition()
			.withHeader("Content-Type", contentType)
			.withBody(body)
			.build();
	}

	private record Role(ModelScript script, List<String> heard) {

		// A conversation is sent whole each time: what is new stands at its end.
		void listen(JsonNode messages) {
			int first = messages.size();
			while (first > 0 && "tool".equals(messages.get(first - 1).path("role").asString())) {
				first--;
			}
			for (int i = first; i < messages.size(); i++) {
				this.heard.add(text(messages.get(i).path("content")));
			}
		}

		private static String text(JsonNode content) {
			if (!content.isArray()) {
				return content.asString();
			}
			StringBuilder text = new StringBuilder();
			content.forEach((part) -> text.append(part.path("text").asString()));
			return text.toString();
		}

	}

}
