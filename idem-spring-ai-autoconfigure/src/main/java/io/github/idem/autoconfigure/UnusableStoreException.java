package io.github.idem.autoconfigure;

import java.util.List;
import java.util.stream.Collectors;

import io.github.idem.IdempotencyStoreException;
import io.github.idem.tool.ToolBeans;
import org.jspecify.annotations.Nullable;

/** idem cannot keep a record in this application, so the application must not start. */
final class UnusableStoreException extends IdempotencyStoreException {

	private static final long serialVersionUID = 1L;

	private UnusableStoreException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

	static UnusableStoreException of(List<ToolBeans.ToolBean> annotated, IdempotencyStoreException cause) {
		return new UnusableStoreException(sentence(annotated, String.valueOf(cause.getMessage())), cause);
	}

	static UnusableStoreException of(List<ToolBeans.ToolBean> annotated, String reason) {
		return new UnusableStoreException(sentence(annotated, reason), null);
	}

	private static String sentence(List<ToolBeans.ToolBean> annotated, String reason) {
		String who = (annotated.isEmpty()) ? "idem" : "@Idempotent on "
				+ annotated.stream().map(ToolBeans.ToolBean::toString).collect(Collectors.joining(", "));
		return who + " has no usable store: " + reason + (reason.endsWith(".") ? "" : ".")
				+ " (To run without any protection, set idem.enabled=false.)";
	}

}
