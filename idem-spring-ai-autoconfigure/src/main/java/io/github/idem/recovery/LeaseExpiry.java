package io.github.idem.recovery;

import io.github.idem.Operation;
import io.github.idem.operation.OperationStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts in doubt what was claimed by a process that no longer renews its lease, so that a
 * crash shows in the record even if nobody ever calls again. Time alone never re-runs
 * anything. Any number of nodes may do this at once.
 */
public final class LeaseExpiry {

	private static final Logger logger = LoggerFactory.getLogger(LeaseExpiry.class);

	private static final int BATCH = 100;

	private final OperationStore store;

	/**
	 * Create the job.
	 * @param store where to look
	 */
	public LeaseExpiry(OperationStore store) {
		this.store = store;
	}

	/**
	 * Look once.
	 * @return how many operations were put in doubt
	 */
	public int run() {
		int total = 0;
		int found;
		do {
			found = 0;
			for (Operation operation : this.store.expireLeases(BATCH)) {
				logger.warn("{}: the process that ran {} (attempt {}) stopped renewing its lease; it is in doubt",
						operation.requestId(), operation.tool(), operation.attempt());
				found++;
			}
			total += found;
		}
		while (found == BATCH);
		return total;
	}

}
