package io.github.idem.tool;

import java.util.EnumSet;
import java.util.Set;

/** Where a process can die, and for which kinds of downstream that point exists. */
enum CrashPoint {

	BEFORE_CLAIM, AFTER_CLAIM, REQUEST_SENT_NEVER_APPLIED, REQUEST_SENT_APPLIED_LATE, DOWNSTREAM_APPLIED, RESPONSE_READ,
	BEFORE_COMPLETION, AFTER_COMPLETION, AFTER_COMMIT, DURING_PROBE, BEFORE_RESOLUTION, AFTER_RESOLUTION,
	RESEND_RECEIVED, RESEND_APPLIED;

	/** What a downstream does for us. */
	enum Kind {

		OPAQUE("opaque"), IDEMPOTENT("deduplicated"), QUERYABLE("queryable"), TRANSACTIONAL("book");

		final String tool;

		Kind(String tool) {
			this.tool = tool;
		}

		static Kind of(String requestId) {
			return valueOf(requestId.substring(0, requestId.indexOf(':')));
		}

	}

	Set<Kind> kinds() {
		return switch (this) {
			case AFTER_COMMIT -> EnumSet.of(Kind.TRANSACTIONAL);
			case DURING_PROBE -> EnumSet.of(Kind.QUERYABLE);
			case BEFORE_RESOLUTION, AFTER_RESOLUTION -> EnumSet.of(Kind.QUERYABLE, Kind.OPAQUE);
			case RESEND_RECEIVED, RESEND_APPLIED -> EnumSet.of(Kind.IDEMPOTENT);
			case REQUEST_SENT_NEVER_APPLIED, REQUEST_SENT_APPLIED_LATE, DOWNSTREAM_APPLIED ->
				EnumSet.complementOf(EnumSet.of(Kind.TRANSACTIONAL));
			default -> EnumSet.allOf(Kind.class);
		};
	}

	/** Whether the first answer is lost, so that what comes after it is reached. */
	boolean losesTheFirstAnswer() {
		return switch (this) {
			case DURING_PROBE, BEFORE_RESOLUTION, AFTER_RESOLUTION, RESEND_RECEIVED, RESEND_APPLIED -> true;
			default -> false;
		};
	}

}
