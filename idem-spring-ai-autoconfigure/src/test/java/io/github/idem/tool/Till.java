package io.github.idem.tool;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.idem.Idempotent;
import io.github.idem.IdempotentCall;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.function.FunctionToolCallback;

/**
 * Where the tool "pay" ends in each of its shapes, and what it finds there. Tools that
 * take a {@link ToolContext} find the till in it.
 */
final class Till {

	static final String KEY = "till";

	/** What the ids are inside the tool. */
	record Ids(@Nullable Object requestId, @Nullable Object taskId, @Nullable Object toolCallId) {

		static final Ids OF_FIRST_CALL = new Ids("t1:call_1", "t1", "call_1");

	}

	final List<Ids> entered = new CopyOnWriteArrayList<>();

	final List<Ids> contexts = new CopyOnWriteArrayList<>();

	volatile Runnable inside = () -> {
	};

	/** Enter without a context. A tool that is not protected has no ids. */
	String pay(double amount) {
		Ids ids = IdempotentCall.current()
			.map((call) -> new Ids(call.requestId(), call.taskId(), call.toolCallId()))
			.orElseGet(() -> new Ids(null, null, null));
		this.entered.add(ids);
		this.inside.run();
		return "paid %s as #%d".formatted(amount, this.entered.size() - 1);
	}

	static String pay(double amount, ToolContext toolContext) {
		Map<String, Object> context = toolContext.getContext();
		Till till = (Till) context.get(KEY);
		till.contexts.add(new Ids(context.get(IdempotentCall.REQUEST_ID), context.get(IdempotentCall.TASK_ID),
				context.get(IdempotentCall.TOOL_CALL_ID)));
		return till.pay(amount);
	}

	/** A function; its settings are found by its name. */
	static ToolCallback function() {
		return FunctionToolCallback
			.builder("payByName", (Payment payment, ToolContext context) -> Till.pay(payment.amount(), context))
			.description("Charges a user")
			.inputType(Payment.class)
			.build();
	}

	record Payment(String user, double amount) {
	}

	static class Tools {

		@Idempotent
		@Tool(description = "Charges a user")
		public String pay(String user, double amount, ToolContext context) {
			return Till.pay(amount, context);
		}

	}

	static class ReturnDirect {

		@Idempotent
		@Tool(description = "Charges a user", returnDirect = true)
		public String pay(String user, double amount, ToolContext context) {
			return Till.pay(amount, context);
		}

	}

	static class WithoutContext {

		private final Till till;

		WithoutContext(Till till) {
			this.till = till;
		}

		@Idempotent
		@Tool(description = "Charges a user")
		public String pay(String user, double amount) {
			return this.till.pay(amount);
		}

	}

	static final class Static {

		@Idempotent
		@Tool(description = "Charges a user")
		static String pay(String user, double amount, ToolContext context) {
			return Till.pay(amount, context);
		}

	}

	static final class Overriding extends Tools {

		@Override
		public String pay(String user, double amount, ToolContext context) {
			return super.pay(user, amount, context);
		}

	}

	static final class Inheriting extends Tools {

	}

	interface Pays {

		@Idempotent
		@Tool(description = "Charges a user")
		String pay(String user, double amount, ToolContext context);

	}

	static class Implementing implements Pays {

		@Override
		public String pay(String user, double amount, ToolContext context) {
			return Till.pay(amount, context);
		}

	}

	interface PaysByDefault {

		@Idempotent
		@Tool(description = "Charges a user")
		default String pay(String user, double amount, ToolContext context) {
			return Till.pay(amount, context);
		}

	}

	static final class Defaulting implements PaysByDefault {

	}

}
