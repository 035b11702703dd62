package io.github.idem.operation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A downstream that keeps what was done under each request id. A request is applied at
 * once, or later when somebody delivers it, or never. It can be told to refuse all
 * attempts up to one, for good.
 */
final class Ledger {

	private final Map<String, Entry> entries = new HashMap<>();

	private final List<Pending> pending = new ArrayList<>();

	/**
	 * Send a request.
	 * @param requestId the request id
	 * @param attempt the attempt that sends it
	 * @param deduplicates whether this downstream applies a request id once
	 * @param fate what becomes of it, unless it is refused or a duplicate
	 * @return what the sender sees
	 */
	synchronized Reply send(String requestId, int attempt, boolean deduplicates, Fate fate) {
		Entry entry = entry(requestId);
		if (attempt <= entry.refusedUpTo) {
			return Reply.REFUSED;
		}
		if (deduplicates && entry.effects > 0) {
			return (fate == Fate.APPLIED) ? Reply.DONE : Reply.NONE;
		}
		switch (fate) {
			case APPLIED, APPLIED_AND_LOST -> entry.effects++;
			case LATER -> this.pending.add(new Pending(requestId, attempt, deduplicates));
			case NEVER, REFUSED -> {
			}
		}
		return switch (fate) {
			case APPLIED -> Reply.DONE;
			case REFUSED -> Reply.REFUSED;
			default -> Reply.NONE;
		};
	}

	/**
	 * Deliver a request that is under way.
	 * @param index any number
	 * @return whether there was one
	 */
	synchronized boolean deliver(int index) {
		if (this.pending.isEmpty()) {
			return false;
		}
		Pending request = this.pending.remove(Math.floorMod(index, this.pending.size()));
		Entry entry = entry(request.requestId);
		if (request.attempt > entry.refusedUpTo && !(request.deduplicates && entry.effects > 0)) {
			entry.effects++;
		}
		return true;
	}

	/**
	 * Refuse all attempts up to this one for good, unless one took effect.
	 * @return whether none did and none will
	 */
	synchronized boolean cancel(String requestId, int attempt) {
		Entry entry = entry(requestId);
		if (entry.effects > 0) {
			return false;
		}
		entry.refusedUpTo = Math.max(entry.refusedUpTo, attempt);
		return true;
	}

	synchronized int effects(String requestId) {
		return entry(requestId).effects;
	}

	/** Whether an attempt that is not refused may still arrive. */
	synchronized boolean isUnderWay(String requestId) {
		int refusedUpTo = entry(requestId).refusedUpTo;
		return this.pending.stream()
			.anyMatch((request) -> request.requestId.equals(requestId) && request.attempt > refusedUpTo);
	}

	synchronized boolean isRefused(String requestId, int attempt) {
		return attempt <= entry(requestId).refusedUpTo;
	}

	private Entry entry(String requestId) {
		return this.entries.computeIfAbsent(requestId, (id) -> new Entry());
	}

	/** What becomes of a request. */
	enum Fate {

		APPLIED, APPLIED_AND_LOST, LATER, NEVER, REFUSED

	}

	/** What a sender sees. */
	enum Reply {

		DONE, REFUSED, NONE

	}

	private static final class Entry {

		private int effects;

		private int refusedUpTo;

	}

	private record Pending(String requestId, int attempt, boolean deduplicates) {
	}

}
