package io.github.idem.tool;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.execution.ToolCallResultConverter;
import org.springframework.ai.tool.execution.ToolExecutionException;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.method.MethodToolCallback;

/**
 * A tool as it is entered. Spring AI's own kinds are copied, to see what the method or
 * function gave before text is made of it, and to tell what a function threw from what it
 * passed on of a tool that it called. Others, decorators too, are entered as they are.
 */
final class EnteredTool {

	private static final Logger logger = LoggerFactory.getLogger(EnteredTool.class);

	private final ToolCallback tool;

	private volatile @Nullable ToolExecutionException passedOn;

	EnteredTool(ToolCallback tool) {
		this.tool = copy(tool);
	}

	@Nullable String call(String arguments, ToolContext context) {
		return this.tool.call(arguments, context);
	}

	/** Whether the tool itself says so, and not one that it called. */
	boolean isOwn(ToolExecutionException thrown) {
		return thrown != this.passedOn
				&& thrown.getToolDefinition().name().equals(this.tool.getToolDefinition().name());
	}

	@SuppressWarnings("NullAway") // input and context may be null, which it does not see
									// in the constructor
	private ToolCallback copy(ToolCallback original) {
		Method method = ToolMethods.of(original);
		if (method != null) {
			return new MethodToolCallback(original.getToolDefinition(), original.getToolMetadata(), method,
					ToolMethods.toolObject(original, method), watched(original));
		}
		Type input = ToolMethods.functionInput(original);
		if (input != null && original.getClass() == FunctionToolCallback.class) {
			return new FunctionToolCallback<Object, Object>(original.getToolDefinition(), original.getToolMetadata(),
					input, watched(ToolMethods.function(original)), watched(original));
		}
		return original;
	}

	private BiFunction<@Nullable Object, @Nullable ToolContext, Object> watched(
			BiFunction<@Nullable Object, @Nullable ToolContext, Object> function) {
		return (input, context) -> {
			try {
				return function.apply(input, context);
			}
			catch (ToolExecutionException ex) {
				this.passedOn = ex;
				throw ex;
			}
		};
	}

	private static ToolCallResultConverter watched(ToolCallback original) {
		ToolCallResultConverter converter = ToolMethods.resultConverter(original);
		return (result, type) -> {
			if (result == null || !Deferred.is(result.getClass())) {
				return converter.convert(result, type);
			}
			logger.error(
					"Tool '{}' returned a {}: its effect would outlive the claim, so the call is in doubt. Wait for"
							+ " the result inside the tool, for instance with block() or join(), and return that.",
					original.getToolDefinition().name(), result.getClass().getSimpleName());
			return DeferredResults.text(result);
		};
	}

}
