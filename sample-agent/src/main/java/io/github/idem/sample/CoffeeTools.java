package io.github.idem.sample;

import java.math.BigDecimal;
import java.util.Optional;

import io.github.idem.EffectNotAppliedException;
import io.github.idem.Idempotent;

import org.springframework.ai.tool.annotation.Tool;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * What the agent can do. The three tools that change something are {@link Idempotent};
 * reading the menu twice harms nobody.
 */
@Component
class CoffeeTools {

	private final Orders orders;

	private final Payments payments;

	private final JdbcClient jdbc;

	CoffeeTools(Orders orders, Payments payments, JdbcClient jdbc) {
		this.orders = orders;
		this.payments = payments;
		this.jdbc = jdbc;
	}

	@Tool(description = "Lists the coffees and their prices")
	String menu() {
		return Coffee.menu();
	}

	@Tool(description = "Places an order; it is made once it has been paid with the charge tool")
	@Idempotent
	String placeOrder(String user, Coffee coffee, int quantity) {
		long id = this.orders.place(user, coffee, quantity);
		return "Order %d: %d x %s, %s to pay".formatted(id, quantity, coffee, coffee.price(quantity).toPlainString());
	}

	@Tool(description = "Charges the user's card, for an open order of that amount or else as a deposit")
	@Idempotent
	String charge(String user, BigDecimal amount) {
		Optional<Long> order = this.orders.beginPayment(user, amount);
		try {
			// A timeout leaves the order in PAYING: nobody knows yet whether it is paid.
			// ChargeProbe asks the gateway.
			Payments.Receipt receipt = this.payments.charge(user, amount);
			order.ifPresent(this.orders::paid);
			return receipt.text();
		}
		catch (Payments.Declined ex) {
			order.ifPresent(this.orders::paymentFailed);
			throw new EffectNotAppliedException(ex.getMessage() + "; no money was taken", ex);
		}
	}

	@Tool(description = "Gives the user a coupon for their next order")
	@Idempotent
	String issueCoupon(String user, int percent) {
		this.jdbc.sql("INSERT INTO coupons (customer, percent) VALUES (:customer, :percent)")
			.param("customer", user)
			.param("percent", percent)
			.update();
		return "Coupon of %d %% for %s".formatted(percent, user);
	}

}
