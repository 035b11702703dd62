package io.github.idem;

import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The record of one operation, as it was read from the store.
 *
 * @param namespace the application the operation belongs to
 * @param requestId the id downstream sees; unique in the namespace, never changes
 * @param taskId the task the operation was first called in
 * @param toolCallId the model's id of the call that first claimed it; may be empty
 * @param tool the tool's name
 * @param status where the operation stands
 * @param version counts the changes of state, from 1
 * @param attempt counts the times the tool was granted, from 1
 * @param mayHaveApplied whether some attempt may have applied the effect without proof
 * either way
 * @param businessRef the business key in readable form, if the tool has one
 * @param arguments the arguments as the model sent them, unless not kept
 * @param result the recorded result; {@code null} unless the effect is known to be
 * applied
 * @param error what the last attempt failed with, if it did
 * @param createdAt when it was first claimed, by the database's clock
 * @param updatedAt when its state last changed, by the database's clock
 */
public record Operation(String namespace, String requestId, String taskId, String toolCallId, String tool,
		OperationStatus status, long version, int attempt, boolean mayHaveApplied, @Nullable String businessRef,
		@Nullable String arguments, @Nullable String result, @Nullable String error, Instant createdAt,
		Instant updatedAt) {

	public Operation {
		Objects.requireNonNull(namespace, "namespace");
		Objects.requireNonNull(requestId, "requestId");
		Objects.requireNonNull(taskId, "taskId");
		Objects.requireNonNull(toolCallId, "toolCallId");
		Objects.requireNonNull(tool, "tool");
		Objects.requireNonNull(status, "status");
		Objects.requireNonNull(createdAt, "createdAt");
		Objects.requireNonNull(updatedAt, "updatedAt");
	}

}
