package io.github.idem.sample;

import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.stereotype.Component;
import org.springframework.util.Assert;

/**
 * The application's own record of orders. Every change of state names the state it
 * expects and checks the row count, so of two that race one wins and the other knows.
 */
@Component
public class Orders {

	private final JdbcClient jdbc;

	Orders(JdbcClient jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Record a new order, to be paid.
	 * @return its number
	 */
	public long place(String user, Coffee coffee, int quantity) {
		Assert.isTrue(quantity > 0, "an order is for at least one coffee");
		GeneratedKeyHolder key = new GeneratedKeyHolder();
		this.jdbc.sql("""
				INSERT INTO orders (customer, coffee, quantity, total, status)
				VALUES (:customer, :coffee, :quantity, :total, :status)""")
			.param("customer", user)
			.param("coffee", coffee.name())
			.param("quantity", quantity)
			.param("total", coffee.price(quantity))
			.param("status", OrderStatus.PENDING_PAYMENT.name())
			.update(key, "id");
		return Objects.requireNonNull(key.getKey()).longValue();
	}

	/**
	 * Take the oldest unpaid order of this customer and total for payment; one whose
	 * payment failed is opened again first.
	 * @return the order that is PAYING now and belongs to the caller, if there is one
	 */
	public Optional<Long> beginPayment(String user, BigDecimal total) {
		List<Long> unpaid = this.jdbc.sql("""
				SELECT id FROM orders WHERE customer = :customer AND total = :total
				AND status IN ('PENDING_PAYMENT', 'PAYMENT_FAILED') ORDER BY id""")
			.param("customer", user)
			.param("total", total)
			.query((row, number) -> row.getLong("id"))
			.list();
		return unpaid.stream().filter(this::takeForPayment).findFirst();
	}

	private boolean takeForPayment(long id) {
		move(id, OrderStatus.PAYMENT_FAILED, OrderStatus.PENDING_PAYMENT);
		return move(id, OrderStatus.PENDING_PAYMENT, OrderStatus.PAYING);
	}

	/**
	 * The payment of an order went through; the machine brews at once.
	 */
	public void paid(long id) {
		change(id, OrderStatus.PAYING, OrderStatus.PAID);
		change(id, OrderStatus.PAID, OrderStatus.FULFILLED);
	}

	/**
	 * The payment of an order was declined.
	 */
	public void paymentFailed(long id) {
		change(id, OrderStatus.PAYING, OrderStatus.PAYMENT_FAILED);
	}

	public OrderStatus status(long id) {
		return OrderStatus.valueOf(
				this.jdbc.sql("SELECT status FROM orders WHERE id = :id").param("id", id).query(String.class).single());
	}

	private void change(long id, OrderStatus from, OrderStatus to) {
		if (!move(id, from, to)) {
			throw new IllegalStateException("order %d is not %s, it cannot become %s".formatted(id, from, to));
		}
	}

	boolean move(long id, OrderStatus from, OrderStatus to) {
		Assert.isTrue(from.mayBecome(to), () -> "no order goes from %s to %s".formatted(from, to));
		return this.jdbc.sql("UPDATE orders SET status = :to WHERE id = :id AND status = :from")
			.param("to", to.name())
			.param("id", id)
			.param("from", from.name())
			.update() == 1;
	}

}
