package io.github.idem.sample;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.stereotype.Component;

/**
 * The agent. A request names its task: the same request again, after a crash or an error,
 * under the same task id is the same work.
 */
@Component
public class CoffeeAgent {

	private final ChatClient chatClient;

	CoffeeAgent(ChatClient.Builder builder, CoffeeTools tools) {
		this.chatClient = builder
			.defaultSystem("You buy coffee for the user. Use the tools; never make up prices or receipts.")
			.defaultTools(tools)
			.build();
	}

	public String ask(String taskId, String request) {
		return Objects.requireNonNullElse(task(taskId, request).call().content(), "");
	}

	public String askStreaming(String taskId, String request) {
		List<String> pieces = task(taskId, request).stream().content().collectList().block();
		return (pieces != null) ? String.join("", pieces) : "";
	}

	private ChatClient.ChatClientRequestSpec task(String taskId, String request) {
		return this.chatClient.prompt().user(request).toolContext(Map.of("task_id", taskId));
	}

}
