package io.github.idem.sample.standin;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * The gateway's own books for one run: the charges that were made, whatever became of the
 * answers.
 */
public final class PaymentLedger {

	private final boolean deduplicates;

	private final Map<String, Charge> byKey = new HashMap<>();

	private final List<Charge> charges = new ArrayList<>();

	private int accepted;

	PaymentLedger(boolean deduplicates) {
		this.deduplicates = deduplicates;
	}

	/**
	 * Accept a charge, which is not made before it is applied.
	 * @return the charge; if the gateway deduplicates and remembers the key, the one
	 * accepted before
	 */
	synchronized Charge accept(String user, BigDecimal amount, @Nullable String key) {
		Charge known = (this.deduplicates && key != null) ? this.byKey.get(key) : null;
		if (known != null) {
			return known;
		}
		Charge charge = new Charge("ch_" + ++this.accepted, user, amount, key);
		if (key != null) {
			this.byKey.putIfAbsent(key, charge);
		}
		return charge;
	}

	/**
	 * Make a charge. The same one is not made twice.
	 */
	synchronized void apply(Charge charge) {
		if (!this.charges.contains(charge)) {
			this.charges.add(charge);
			notifyAll();
		}
	}

	/**
	 * Forget all idempotency keys, as gateways do after a day: known keys are new again,
	 * and a lookup finds nothing.
	 */
	public synchronized void forgetKeys() {
		this.byKey.clear();
	}

	/**
	 * Look up a charge that was made.
	 */
	public synchronized Optional<Charge> find(String key) {
		return Optional.ofNullable(this.byKey.get(key)).filter(this.charges::contains);
	}

	public synchronized List<Charge> charges() {
		return List.copyOf(this.charges);
	}

	/**
	 * Wait for charges that come late: until there are as many as expected, and none that
	 * was accepted is still to be made.
	 * @param expected how many to wait for at least
	 * @param patience how long at most
	 * @return the charges that were made by then, fewer or more
	 */
	public synchronized List<Charge> await(int expected, Duration patience) throws InterruptedException {
		long end = System.nanoTime() + patience.toNanos();
		long left = patience.toMillis();
		while (this.charges.size() < Math.max(expected, this.accepted) && left > 0) {
			wait(left);
			left = Duration.ofNanos(end - System.nanoTime()).toMillis();
		}
		return List.copyOf(this.charges);
	}

	/**
	 * A charge.
	 *
	 * @param idempotencyKey as the request carried it
	 */
	public record Charge(String id, String user, BigDecimal amount, @Nullable String idempotencyKey) {
	}

}
