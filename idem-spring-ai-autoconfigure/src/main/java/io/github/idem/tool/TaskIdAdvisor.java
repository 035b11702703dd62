package io.github.idem.tool;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

import io.github.idem.IdempotentCall;
import io.github.idem.MissingTaskIdException;
import io.github.idem.TaskIdResolver;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

import org.springframework.ai.chat.client.ChatClientRequest;
import org.springframework.ai.chat.client.ChatClientResponse;
import org.springframework.ai.chat.client.advisor.api.CallAdvisor;
import org.springframework.ai.chat.client.advisor.api.CallAdvisorChain;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisor;
import org.springframework.ai.chat.client.advisor.api.StreamAdvisorChain;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.core.Ordered;

/**
 * The outermost advisor: fixes which task a chat request belongs to, before any retry or
 * recursive advisor can repeat it, and writes it into the tool context where every round
 * of the tool loop finds it.
 */
final class TaskIdAdvisor implements CallAdvisor, StreamAdvisor {

	/**
	 * Close to the outermost; only an advisor that asks for more stands outside of it.
	 */
	static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 10;

	private final @Nullable TaskIdResolver resolver;

	private final boolean required;

	/**
	 * Create the advisor.
	 * @param resolver asked if the request names no task; may be {@code null}
	 * @param required whether a request without a task id is an error instead of being
	 * given a new one
	 */
	TaskIdAdvisor(@Nullable TaskIdResolver resolver, boolean required) {
		this.resolver = resolver;
		this.required = required;
	}

	@Override
	public ChatClientResponse adviseCall(ChatClientRequest request, CallAdvisorChain chain) {
		return chain.nextCall(ToolLoopAdvisor.noteLoopBefore(withTaskId(request), chain.getCallAdvisors()));
	}

	@Override
	public Flux<ChatClientResponse> adviseStream(ChatClientRequest request, StreamAdvisorChain chain) {
		return chain.nextStream(ToolLoopAdvisor.noteLoopBefore(withTaskId(request), chain.getStreamAdvisors()));
	}

	/** The same request, with the id of its task in the tool context. */
	ChatClientRequest withTaskId(ChatClientRequest request) {
		if (!(request.prompt().getOptions() instanceof ToolCallingChatOptions options)) {
			return request;
		}
		Map<String, Object> toolContext = Objects.requireNonNullElse(options.getToolContext(), Map.of());
		String taskId = TaskIds.read(toolContext, "tool context");
		if (taskId != null) {
			return request;
		}
		ToolCallingChatOptions withTaskId = options.mutate()
			.toolContext(IdempotentCall.TASK_ID, resolve(request.context(), toolContext))
			.build();
		return request.mutate().prompt(request.prompt().mutate().chatOptions(withTaskId).build()).build();
	}

	private String resolve(Map<String, ? extends @Nullable Object> parameters, Map<String, Object> toolContext) {
		String taskId = TaskIds.read(parameters, "advisor parameters");
		if (taskId == null && this.resolver != null) {
			Map<String, Object> context = new HashMap<>(toolContext);
			parameters.forEach((name, value) -> {
				if (value != null) {
					context.put(name, value);
				}
			});
			taskId = this.resolver.resolve(Collections.unmodifiableMap(context));
		}
		if (taskId != null && !taskId.isBlank()) {
			return taskId;
		}
		if (this.required) {
			throw new MissingTaskIdException(
					"""
							This chat request names no task and idem.task-id.required is set, so the model was not called. \
							Name the task with .toolContext(Map.of("task_id", id)), with .advisors(a -> a.param("task_id", id)), \
							or with a TaskIdResolver bean.""");
		}
		return TaskIds.mint();
	}

	@Override
	public String getName() {
		return "idem task id";
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

}
