package io.github.idem.operation;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts unsafe HTTP requests that were sent on threads that are inside no attempt. As
 * long as the count stands still, nothing was sent behind an attempt's back.
 */
public final class UnattributedRequests {

	private final AtomicLong count = new AtomicLong();

	/** Such a request is about to be sent. */
	public void begun() {
		this.count.incrementAndGet();
	}

	/**
	 * How many there were.
	 * @return the count since the application started
	 */
	public long count() {
		return this.count.get();
	}

}
