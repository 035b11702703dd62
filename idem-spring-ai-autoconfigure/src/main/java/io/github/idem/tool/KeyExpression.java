package io.github.idem.tool;

import java.math.BigDecimal;
import java.time.temporal.TemporalAccessor;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

import io.github.idem.IdempotencyException;
import io.github.idem.InvalidArgumentsException;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * A tool's business key: a SpEL expression over its arguments, {@code #taskId} and
 * {@code #toolContext}, parsed once. The expression is code and the arguments are data:
 * it can read properties and call methods of its values, but names no types, beans or
 * constructors.
 */
final class KeyExpression {

	private static final String TASK_ID = "taskId";

	private static final String TOOL_CONTEXT = "toolContext";

	private static final int MAX_ZEROS = 100;

	private final String tool;

	private final SpelExpression expression;

	private KeyExpression(String tool, SpelExpression expression) {
		this.tool = tool;
		this.expression = expression;
	}

	/**
	 * Parse an expression.
	 * @param tool the tool it is for
	 * @param text the expression
	 * @param arguments the tool's arguments; empty if they are not known
	 * @throws IdempotencyException if it is not SpEL, or names an argument the tool does
	 * not have
	 */
	static KeyExpression parse(String tool, String text, Set<String> arguments) {
		SpelExpression expression;
		try {
			expression = new SpelExpressionParser().parseRaw(text);
		}
		catch (ParseException | IllegalStateException ex) {
			throw new IdempotencyException(
					"The key of tool '%s' is not a SpEL expression: %s. Write it over the arguments, as in \"#orderId\"."
						.formatted(tool, text),
					ex);
		}
		Set<String> unknown = new TreeSet<>();
		collectVariables(expression.getAST(), unknown);
		unknown.remove(TASK_ID);
		unknown.remove(TOOL_CONTEXT);
		unknown.removeAll(arguments);
		if (!arguments.isEmpty() && !unknown.isEmpty()) {
			throw new IdempotencyException(
					"The key of tool '%s' names %s, but its arguments are %s; #%s and #%s are there too."
						.formatted(tool, unknown, new TreeSet<>(arguments), TASK_ID, TOOL_CONTEXT));
		}
		return new KeyExpression(tool, expression);
	}

	private static void collectVariables(SpelNode node, Set<String> names) {
		if (node instanceof VariableReference) {
			String name = node.toStringAST().substring(1);
			if (!name.equals("this") && !name.equals("root")) {
				names.add(name);
			}
		}
		for (int child = 0; child < node.getChildCount(); child++) {
			collectVariables(node.getChild(child), names);
		}
	}

	/**
	 * The key of a call.
	 * @return never blank
	 * @throws InvalidArgumentsException if the arguments give none
	 */
	String evaluate(Map<String, @Nullable Object> arguments, String taskId, Map<String, Object> toolContext) {
		SimpleEvaluationContext context = SimpleEvaluationContext.forReadOnlyDataBinding()
			.withInstanceMethods()
			.build();
		arguments.forEach((name, value) -> context.setVariable(name, exact(value)));
		context.setVariable(TASK_ID, taskId);
		context.setVariable(TOOL_CONTEXT, toolContext);
		Object value;
		try {
			value = this.expression.getValue(context);
		}
		catch (RuntimeException ex) {
			// Not only SpEL's own: what a method of an argument throws comes as it is.
			throw noKey(ex);
		}
		String key = (value != null) ? text(value) : "";
		if (key.isBlank()) {
			throw noKey(null);
		}
		return key;
	}

	private InvalidArgumentsException noKey(@Nullable Throwable cause) {
		Set<String> names = new TreeSet<>();
		collectVariables(this.expression.getAST(), names);
		return new InvalidArgumentsException(
				"The call of '%s' has no business key, so nothing was done: give a value for each of %s."
					.formatted(this.tool, names),
				cause);
	}

	/**
	 * Equal numbers as the same text, also where an expression joins them to others:
	 * {@code 29.90} as {@code 29.9}, {@code 4711.0} as {@code 4711}. One that is a
	 * billion digits long written out, which costs a model ten characters, keeps its
	 * exponent.
	 */
	private static @Nullable Object exact(@Nullable Object value) {
		if (!(value instanceof BigDecimal number)) {
			return value;
		}
		BigDecimal stripped = number.stripTrailingZeros();
		return (stripped.scale() < 0 && stripped.scale() >= -MAX_ZEROS) ? stripped.setScale(0) : stripped;
	}

	/** Numbers by value; nothing whose text could differ between two equal values. */
	private String text(Object value) {
		if (value instanceof CharSequence || value instanceof Boolean || value instanceof Character
				|| value instanceof UUID || value instanceof TemporalAccessor) {
			return value.toString();
		}
		if (value instanceof Enum<?> constant) {
			return constant.name();
		}
		if (value instanceof Number number) {
			return String.valueOf(exact(new BigDecimal(number.toString())));
		}
		throw new IdempotencyException(
				"The key of tool '%s' gives a %s, which is not a key: make it text, a number, an enum constant, a UUID or a time."
					.formatted(this.tool, value.getClass().getName()));
	}

	/** The expression as it was written. */
	@Override
	public String toString() {
		return this.expression.getExpressionString();
	}

}
