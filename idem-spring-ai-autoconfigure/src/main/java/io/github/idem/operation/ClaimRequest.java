package io.github.idem.operation;

import java.time.Duration;
import java.util.Objects;

import io.github.idem.Downstream;
import io.github.idem.identity.CallIdentity;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the right to run one operation once.
 *
 * @param call which operation
 * @param businessKey the business key in readable form; {@code null} if the tool has none
 * @param conversationId the conversation the call is part of; {@code null} if it is not
 * known
 * @param downstream what the tool's downstream does for us; never {@link Downstream#AUTO}
 * @param arguments the arguments as the model sent them, for the record
 * @param owner a token that no other claim carries; asking again with it after a lost
 * acknowledgement gives the same grant
 * @param lease how long the claim stands without being renewed, on the store's clock
 */
public record ClaimRequest(CallIdentity call, @Nullable String businessKey, @Nullable String conversationId,
		Downstream downstream, String arguments, String owner, Duration lease) {

	public ClaimRequest {
		Objects.requireNonNull(call, "call");
		Objects.requireNonNull(downstream, "downstream");
		Objects.requireNonNull(arguments, "arguments");
		Objects.requireNonNull(owner, "owner");
		if (lease.isNegative() || lease.isZero()) {
			throw new IllegalArgumentException("lease must be positive");
		}
	}

}
