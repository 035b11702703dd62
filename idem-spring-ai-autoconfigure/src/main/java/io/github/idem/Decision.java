package io.github.idem;

import org.jspecify.annotations.Nullable;

/** What a person decides about an operation; see {@link OperationResolver}. */
public sealed interface Decision {

	/**
	 * The effect was applied: the operation has succeeded.
	 *
	 * @param result what every caller is given from now on; may be {@code null}
	 */
	record Applied(@Nullable String result) implements Decision {
	}

	/**
	 * The effect was not applied and never will be: the operation has failed, its
	 * business key is free, and a new call may claim it.
	 */
	record NotApplied() implements Decision {
	}

	/**
	 * Send it once more under the same request id, whatever the first attempt came to: by
	 * the next equal call, or in the background where the tool can be entered there. If
	 * that attempt is in doubt too, it waits for a person again. Refused while another
	 * operation holds its business key.
	 */
	record SendAgainOnce() implements Decision {
	}

	/**
	 * Free the business key of an operation that is final, so that another call may use
	 * it. The operation itself keeps answering its own calls.
	 */
	record ReleaseKey() implements Decision {
	}

}
