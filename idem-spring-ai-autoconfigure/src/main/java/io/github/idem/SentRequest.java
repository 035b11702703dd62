package io.github.idem;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * An HTTP request that a tool sent during an attempt, and how it ended. Another protected
 * tool that it entered counts as one.
 *
 * @param method the HTTP method in upper case, or {@link #TOOL}
 * @param fate what is known of it
 * @param status the status it was answered with; {@code null} if there was no answer
 * @param failure what sending it ended with; {@code null} if it was answered, or is not
 * over
 * @param retryAfter how long the answer asks to wait; {@code null} if it does not say
 */
public record SentRequest(String method, Fate fate, @Nullable Integer status, @Nullable Throwable failure,
		@Nullable Duration retryAfter) {

	/** In place of a method: another protected tool was entered. */
	public static final String TOOL = "TOOL";

	private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

	public SentRequest {
		Objects.requireNonNull(method, "method");
		Objects.requireNonNull(fate, "fate");
	}

	/**
	 * A request that has begun.
	 * @param method the HTTP method in upper case
	 * @return a request of which nothing is known yet
	 */
	public static SentRequest begun(String method) {
		return new SentRequest(method, Fate.UNKNOWN, null, null, null);
	}

	/**
	 * Whether its method may change something downstream (RFC 9110, section 9.2.1).
	 * @return {@code false} for GET, HEAD, OPTIONS and TRACE
	 */
	public boolean unsafe() {
		return !SAFE.contains(this.method);
	}

	/** What is known of a request. */
	public enum Fate {

		/** It was answered as if it had been carried out. */
		ANSWERED,

		/** It provably was not carried out, and would not be if it were sent again. */
		REFUSED,

		/** It provably was not carried out, for a reason that may pass. */
		REFUSED_FOR_NOW,

		/** It may have been carried out. */
		UNKNOWN

	}

}
