package io.github.idem;

import java.util.ServiceLoader;

import org.springframework.ai.tool.ToolCallback;

/**
 * For tools that auto-configuration can't reach: of a {@code ChatClient.create(...)}, of
 * a tool calling manager that is no bean, or called directly.
 */
public final class IdempotentTools {

	private IdempotentTools() {
	}

	/**
	 * Protect tools wherever they are called, by the application that is running then. If
	 * there are several in this JVM, it is the one whose chat client offers the tool, or
	 * else the one that started last when it is first called, and stays that one until it
	 * is closed. After that another takes over only if it is the only one. A tool without
	 * {@link Idempotent @Idempotent} or settings is protected with the defaults. Wrapping
	 * twice is wrapping once.
	 * <p>
	 * Outside a chat client that idem's advisors are in, the caller names the task in the
	 * tool context, and the model's tool call ids are not known: a call is then told
	 * apart by its arguments alone, so {@link Duplicates#ALLOW} acts like
	 * {@link Duplicates#COLLAPSE}.
	 * @param tools the tools
	 * @return the protected tools, in the same order
	 */
	public static ToolCallback[] wrap(ToolCallback... tools) {
		return ServiceLoader.load(Wrapper.class, IdempotentTools.class.getClassLoader())
			.findFirst()
			.orElseThrow()
			.wrap(tools);
	}

	/** How tools are wrapped; implemented by idem. */
	public interface Wrapper {

		/**
		 * Wrap tools.
		 * @param tools the tools
		 * @return the protected tools, in the same order
		 */
		ToolCallback[] wrap(ToolCallback... tools);

	}

}
