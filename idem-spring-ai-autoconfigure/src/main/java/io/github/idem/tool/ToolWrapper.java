package io.github.idem.tool;

import java.util.Arrays;

import io.github.idem.IdempotentTools;

import org.springframework.ai.tool.ToolCallback;

/** Wraps tools by hand; found by {@link IdempotentTools} as a service. */
public final class ToolWrapper implements IdempotentTools.Wrapper {

	@Override
	public ToolCallback[] wrap(ToolCallback... tools) {
		return Arrays.stream(tools).map(ToolProtection::protectLater).toArray(ToolCallback[]::new);
	}

}
