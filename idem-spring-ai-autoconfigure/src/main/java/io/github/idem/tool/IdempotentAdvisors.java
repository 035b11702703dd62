package io.github.idem.tool;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

import io.github.idem.TaskIdResolver;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientBuilderCustomizer;
import org.springframework.ai.chat.client.advisor.api.Advisor;

/**
 * The advisors of idem, put into every {@link ChatClient.Builder} once: one names the
 * task, one protects the tools of each loop, one observes the calls the model asks for.
 */
public final class IdempotentAdvisors implements ChatClientBuilderCustomizer {

	private final Advisor[] advisors;

	private final Set<ChatClient.Builder> customized = Collections
		.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

	/**
	 * Create the advisors.
	 * @param resolver asked for the task of a request that names none; may be
	 * {@code null}
	 * @param taskIdRequired whether a request without a task id is an error
	 * @param protection which tools are protected, and by what
	 * @param toolAdvisorOrder the order of the advisor that drives the tool loop
	 */
	public IdempotentAdvisors(@Nullable TaskIdResolver resolver, boolean taskIdRequired, ToolProtection protection,
			int toolAdvisorOrder) {
		TaskIdAdvisor taskIds = new TaskIdAdvisor(resolver, taskIdRequired);
		this.advisors = new Advisor[] { taskIds, new ToolLoopAdvisor(taskIds, protection, toolAdvisorOrder),
				new ToolLoopObserver() };
	}

	@Override
	public void customize(ChatClient.Builder builder) {
		if (this.customized.add(builder)) {
			builder.defaultAdvisors(this.advisors);
		}
	}

}
