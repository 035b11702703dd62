package io.github.idem.operation;

import java.util.Optional;

import io.github.idem.Downstream;
import io.github.idem.Operation;
import io.github.idem.OutcomeProbe;
import org.jspecify.annotations.Nullable;

/** What is known of tools by their names alone, when no caller is there. */
public interface ToolRegistry {

	/**
	 * What can be done about a tool's operations.
	 * @param tool the tool's name
	 * @return what is known; of an unknown tool, nothing
	 */
	KnownEffect find(String tool);

	/**
	 * What can be done about the operations of a tool.
	 *
	 * @param probe asks downstream; {@code null} if nothing can
	 * @param downstream what downstream does for the tool as it is now, which need not be
	 * what it did when an operation was recorded
	 * @param notFoundIsFinal whether a request that was not found after the settle time
	 * is taken to be lost
	 * @param reEntry enters the tool without a caller; {@code null} if it can't be
	 */
	record KnownEffect(@Nullable OutcomeProbe probe, Downstream downstream, boolean notFoundIsFinal,
			@Nullable ReEntry reEntry) {

		/**
		 * Of a tool that is not known before it is called.
		 * @param probe asks downstream; {@code null} if nothing can
		 * @return what is known
		 */
		public static KnownEffect ofProbe(@Nullable OutcomeProbe probe) {
			return new KnownEffect(probe, Downstream.OPAQUE, false, null);
		}

	}

	/** Enters a tool for a caller that is gone. */
	@FunctionalInterface
	interface ReEntry {

		/**
		 * Send an operation that is in doubt again under its request id, with the
		 * arguments it was recorded with.
		 * @param inDoubt the operation as it was read
		 * @param reason why it may be sent again
		 * @return what came of it; empty if it has moved on, and the tool was not entered
		 */
		Optional<Answer> sendAgain(Operation inDoubt, String reason);

	}

}
