package io.github.idem.tool;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.idem.Idempotent;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.function.FunctionToolCallback;

/** Tools whose arguments are more than two texts. */
class OrderDesk {

	record Line(String sku, int quantity) {
	}

	record Order(String user, List<Line> lines, @Nullable Map<String, Object> extras) {
	}

	record Booking(String table, int guests) {
	}

	final List<Object> entered = new CopyOnWriteArrayList<>();

	@Idempotent
	@Tool(description = "Charges an exact amount")
	String chargeExactly(String user, BigDecimal amount, @Nullable String note) {
		this.entered.add(amount);
		return "charged";
	}

	@Idempotent
	@Tool(description = "Prints a label")
	String label(String text) {
		this.entered.add(text);
		return "printed";
	}

	@Idempotent
	@Tool(description = "Reserves so many")
	String reserve(int quantity) {
		this.entered.add(quantity);
		return "reserved";
	}

	@Idempotent(key = "#order.user + ':' + #order.lines[0].quantity")
	@Tool(description = "Places an order")
	String place(Order order) {
		this.entered.add(order);
		return "placed";
	}

	@Idempotent
	@Tool(description = "Runs steps in order")
	String run(List<String> steps) {
		this.entered.add(steps);
		return "ran";
	}

	@Idempotent(ignoring = "reason")
	@Tool(description = "Cancels an order")
	String cancel(String order, String reason) {
		this.entered.add(order);
		return "cancelled";
	}

	@Idempotent
	@Tool(description = "Changes some of a customer's data")
	String patch(Map<String, Object> changes) {
		this.entered.add(changes);
		return "changed";
	}

	/** Protected by its name, with the key {@code #table}. */
	ToolCallback book() {
		return FunctionToolCallback.builder("book", (Booking booking) -> {
			this.entered.add(booking);
			return "booked";
		}).description("Books a table").inputType(Booking.class).build();
	}

}
