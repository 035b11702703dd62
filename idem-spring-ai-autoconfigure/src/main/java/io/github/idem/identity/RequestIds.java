package io.github.idem.identity;

/** Builds request ids. */
final class RequestIds {

	private RequestIds() {
	}

	static String of(CallIdentity call, int collisions) {
		return call.taskId() + ":" + call.toolCallId();
	}

}
