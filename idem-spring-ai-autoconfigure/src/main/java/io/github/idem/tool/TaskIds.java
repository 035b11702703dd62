package io.github.idem.tool;

import java.security.SecureRandom;
import java.util.Map;
import java.util.UUID;

import io.github.idem.IdempotentCall;
import io.github.idem.MissingTaskIdException;
import org.jspecify.annotations.Nullable;

/** Reading a task id where it was put, and minting one where it was not. */
final class TaskIds {

	private static final SecureRandom random = new SecureRandom();

	private TaskIds() {
	}

	/**
	 * Read the task id of a context.
	 * @return the id, or {@code null} if there is none; a blank id is an absent one
	 * @throws MissingTaskIdException if it is there but not a {@code String}
	 */
	static @Nullable String read(Map<String, ?> context, String place) {
		Object value = context.get(IdempotentCall.TASK_ID);
		if (value == null) {
			return null;
		}
		if (value instanceof String text) {
			return (text.isBlank()) ? null : text;
		}
		throw new MissingTaskIdException("The task id in the %s is a %s; give it as a String under \"%s\"."
			.formatted(place, value.getClass().getName(), IdempotentCall.TASK_ID));
	}

	/**
	 * Mint an id that sorts by time: a UUID of version 7 (RFC 9562).
	 */
	static String mint() {
		long millis = System.currentTimeMillis();
		long most = (millis << 16) | 0x7000L | random.nextInt(0x1000);
		long least = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
		return new UUID(most, least).toString();
	}

}
