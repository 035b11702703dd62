package io.github.idem;

import java.util.Map;

/**
 * Rebuilds what a tool needs around it, such as tenant and security, before idem enters
 * it in the background for a caller that is gone; a bean of the application. Without one,
 * a tool that takes a {@code ToolContext} is never entered in the background.
 */
@FunctionalInterface
public interface ContextRestorer {

	/**
	 * Restore the context of an operation on the current thread.
	 * @param operation the operation that is to be sent again
	 * @return the context, which is closed after the tool has returned
	 * @throws RuntimeException if it can't be restored; the tool is not entered, and the
	 * operation waits for a caller or a person
	 */
	Context restore(Operation operation);

	/** A restored context. */
	@FunctionalInterface
	interface Context extends AutoCloseable {

		/**
		 * What the tool finds in its {@code ToolContext}, beside the three ids.
		 * @return by default nothing
		 */
		default Map<String, Object> toolContext() {
			return Map.of();
		}

		/** Undo what was set on the thread. */
		@Override
		void close();

	}

}
