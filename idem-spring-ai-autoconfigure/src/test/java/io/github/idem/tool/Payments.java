package io.github.idem.tool;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.github.idem.Duplicates;
import io.github.idem.EffectNotAppliedException;
import io.github.idem.Idempotent;
import io.github.idem.IdempotentCall;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.annotation.ToolParam;

/** Tools whose effects can be counted. */
class Payments {

	record Entry(String tool, Object what, String requestId, String taskId, String toolCallId, int attempt) {
	}

	final List<Entry> entered = new CopyOnWriteArrayList<>();

	final List<ToolContext> contexts = new CopyOnWriteArrayList<>();

	volatile Consumer<Entry> before = (entry) -> {
	};

	void forget() {
		this.entered.clear();
		this.contexts.clear();
		this.before = (entry) -> {
		};
	}

	@Idempotent
	@Tool(description = "Charges a user")
	String charge(String user, String amount, @ToolParam(required = false) @Nullable String note, ToolContext context) {
		this.contexts.add(context);
		Entry entry = enter("charge", user + " " + amount);
		return "charged " + amount + " as #" + this.entered.indexOf(entry);
	}

	@Idempotent
	@Tool(description = "Charges a user a number")
	String pay(String user, double amount, @ToolParam(required = false) @Nullable String note) {
		Entry entry = enter("pay", user + " " + amount);
		return "paid " + amount + " as #" + this.entered.indexOf(entry);
	}

	@Idempotent(duplicates = Duplicates.ALLOW)
	@Tool(description = "Buys a coffee")
	String buyCoffee(String size) {
		Entry entry = enter("buyCoffee", size);
		return "coffee #" + this.entered.indexOf(entry);
	}

	@Idempotent(duplicates = Duplicates.REJECT)
	@Tool(description = "Issues a coupon")
	String issueCoupon(String user) {
		enter("issueCoupon", user);
		return "coupon";
	}

	@Idempotent(ignoring = "reason", notAppliedFor = IllegalArgumentException.class)
	@Tool(description = "Refunds an order")
	String refund(String order, String reason) {
		enter("refund", order);
		return "refunded";
	}

	@Tool(description = "Fetches something")
	String fetch(String what) throws IOException {
		if (this.entered.stream().noneMatch((entry) -> entry.tool().equals("fetch"))) {
			this.entered.add(new Entry("fetch", what, "", "", "", 0));
			throw new IOException("connection reset");
		}
		return "fetched";
	}

	@Tool(description = "Reads the menu")
	String menu(ToolContext context) {
		this.contexts.add(context);
		this.entered.add(new Entry("menu", "", "", "", "", 0));
		return "espresso";
	}

	private Entry enter(String tool, Object what) {
		IdempotentCall call = IdempotentCall.current().orElseThrow();
		Entry entry = new Entry(tool, what, call.requestId(), call.taskId(), call.toolCallId(), call.attempt());
		this.before.accept(entry);
		this.entered.add(entry);
		return entry;
	}

	static EffectNotAppliedException declined() {
		return new EffectNotAppliedException("card declined");
	}

}
