package io.github.idem.sample;

/**
 * Where an order stands.
 *
 * <pre>
 *  PENDING_PAYMENT ──▶ PAYING ──▶ PAID ──▶ FULFILLED
 *        ▲               │
 *        └ PAYMENT_FAILED◀┘
 * </pre>
 */
public enum OrderStatus {

	PENDING_PAYMENT, PAYING, PAID, FULFILLED, PAYMENT_FAILED;

	boolean mayBecome(OrderStatus next) {
		return switch (this) {
			case PENDING_PAYMENT -> next == PAYING;
			case PAYING -> next == PAID || next == PAYMENT_FAILED;
			case PAID -> next == FULFILLED;
			case PAYMENT_FAILED -> next == PENDING_PAYMENT;
			case FULFILLED -> false;
		};
	}

}
