package io.github.idem.identity;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * What makes a call the call it is. Two calls of one task with the same tool and
 * deduplication key are the same operation; the tool call id only labels it.
 *
 * @param taskId the task, not blank
 * @param toolCallId the model's id of the call; empty if it gave none
 * @param tool the tool's name
 * @param fingerprint SHA-256 over the canonical form of the arguments, in hex
 * @param dedupKey the fingerprint, and the occurrence where a repeat is meant
 */
public record CallIdentity(String taskId, String toolCallId, String tool, String fingerprint, String dedupKey) {

	public CallIdentity {
		Objects.requireNonNull(taskId, "taskId");
		Objects.requireNonNull(toolCallId, "toolCallId");
		Objects.requireNonNull(tool, "tool");
		Objects.requireNonNull(fingerprint, "fingerprint");
		Objects.requireNonNull(dedupKey, "dedupKey");
		if (taskId.isBlank()) {
			throw new IllegalArgumentException("taskId must not be blank");
		}
	}

	/**
	 * A call that is one operation with every equal call of its task.
	 * @param taskId the task, not blank
	 * @param toolCallId the model's id of the call; {@code null} if it gave none
	 * @param tool the tool's name
	 * @param fingerprint the fingerprint of the arguments
	 * @return the identity, its deduplication key the fingerprint
	 */
	public static CallIdentity of(String taskId, @Nullable String toolCallId, String tool, String fingerprint) {
		return new CallIdentity(taskId, (toolCallId != null) ? toolCallId : "", tool, fingerprint, fingerprint);
	}

	/**
	 * One of several equal calls of a task that are each meant.
	 * @param taskId the task, not blank
	 * @param toolCallId the model's id of the call; {@code null} if it gave none
	 * @param tool the tool's name
	 * @param fingerprint the fingerprint of the arguments
	 * @param occurrence which of the equal calls this is; 1 for the first
	 * @return the identity, its deduplication key the fingerprint and the occurrence
	 */
	public static CallIdentity occurrence(String taskId, @Nullable String toolCallId, String tool, String fingerprint,
			int occurrence) {
		if (occurrence < 1) {
			throw new IllegalArgumentException("occurrence starts at 1");
		}
		return new CallIdentity(taskId, (toolCallId != null) ? toolCallId : "", tool, fingerprint,
				fingerprint + "#" + occurrence);
	}

	/**
	 * The request id of this call.
	 * @param collisions how many request ids of this call were found to name other
	 * operations already; 0 for the first try
	 * @return at most 255 visible ASCII characters, the same in every JVM; another one
	 * for each number of collisions
	 */
	public String requestId(int collisions) {
		return RequestIds.of(this, collisions);
	}

}
