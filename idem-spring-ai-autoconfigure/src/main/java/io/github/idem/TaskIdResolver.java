package io.github.idem;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Names the task a chat request belongs to when neither its tool context nor its advisor
 * parameters do. Register one as a bean.
 */
@FunctionalInterface
public interface TaskIdResolver {

	/**
	 * Resolve the task id of one {@code .call()} or {@code .stream()}.
	 * @param context the request's advisor parameters and tool context, read-only
	 * @return the task id; {@code null} or blank if there is none
	 */
	@Nullable String resolve(Map<String, Object> context);

}
