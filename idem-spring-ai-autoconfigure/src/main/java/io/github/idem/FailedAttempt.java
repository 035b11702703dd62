package io.github.idem;

import java.util.List;
import java.util.Objects;

/**
 * An attempt that ended with an exception, and what was seen of it.
 *
 * @param tool the tool's name
 * @param requestId the operation's request id
 * @param attempt which attempt it was, from 1
 * @param thrown what the tool itself threw
 * @param sent the HTTP requests that were seen during the attempt, in the order they were
 * begun: those of clients that Spring Boot built, on the tool's own thread
 */
public record FailedAttempt(String tool, String requestId, int attempt, Throwable thrown, List<SentRequest> sent) {

	public FailedAttempt {
		Objects.requireNonNull(tool, "tool");
		Objects.requireNonNull(requestId, "requestId");
		Objects.requireNonNull(thrown, "thrown");
		sent = List.copyOf(sent);
	}

}
