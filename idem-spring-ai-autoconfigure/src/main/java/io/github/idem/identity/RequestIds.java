package io.github.idem.identity;

/**
 * Builds request ids: {@code taskId:toolCallId}, which people can read, with a hash
 * behind it where that does not name one operation only.
 */
final class RequestIds {

	private static final int MAX_LENGTH = 255;

	private static final int[] HASH_LENGTHS = { 12, 24, 48, 64 };

	private RequestIds() {
	}

	static String of(CallIdentity call, int collisions) {
		if (collisions < 0) {
			throw new IllegalArgumentException("collisions must not be negative");
		}
		boolean blank = call.toolCallId().isBlank();
		String suffix = "";
		if (blank || collisions > 0) {
			suffix = "~" + hash(call, blank ? collisions : collisions - 1);
		}
		String task = visible(call.taskId());
		String id = blank ? "" : visible(call.toolCallId());
		int tooMuch = task.length() + 1 + id.length() + suffix.length() - MAX_LENGTH;
		if (tooMuch > 0 && id.length() > task.length()) {
			tooMuch -= id.length();
			id = sha256(call.toolCallId());
			tooMuch += id.length();
		}
		if (tooMuch > 0) {
			task = sha256(call.taskId());
		}
		if (task.length() + 1 + id.length() + suffix.length() > MAX_LENGTH) {
			id = sha256(call.toolCallId());
		}
		return task + ":" + id + suffix;
	}

	private static String visible(String part) {
		for (int i = 0; i < part.length(); i++) {
			if (part.charAt(i) < 0x21 || part.charAt(i) > 0x7e) {
				return sha256(part);
			}
		}
		return part;
	}

	/** When the whole hash is not enough either, the number of the try goes into it. */
	private static String hash(CallIdentity call, int step) {
		Utf8Buffer input = new Utf8Buffer(256);
		withLength(input, call.taskId());
		withLength(input, call.tool());
		withLength(input, call.dedupKey());
		if (step < HASH_LENGTHS.length) {
			return input.sha256().substring(0, HASH_LENGTHS[step]);
		}
		withLength(input, Integer.toString(step));
		return input.sha256();
	}

	/** With its length before it, no part can be taken for a piece of its neighbour. */
	private static void withLength(Utf8Buffer input, String part) {
		input.writeAscii(part.length() + ":");
		input.writeText(part);
	}

	private static String sha256(String part) {
		Utf8Buffer input = new Utf8Buffer(part.length());
		input.writeText(part);
		return input.sha256();
	}

}
