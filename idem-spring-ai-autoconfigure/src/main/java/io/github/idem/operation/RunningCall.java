package io.github.idem.operation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import io.github.idem.IdempotencyException;
import io.github.idem.IdempotentCall;
import io.github.idem.Operation;
import io.github.idem.SentRequest;
import org.jspecify.annotations.Nullable;

/**
 * A granted attempt: what the tool sees of it, and what is seen of the tool. Safe for any
 * number of threads.
 */
public final class RunningCall extends IdempotentCall {

	private final Claim.Granted grant;

	private final String toolCallId;

	private final OperationStore store;

	private final List<Sending> sent = new ArrayList<>();

	private volatile long leaseUntil;

	private volatile boolean effectBegun;

	private volatile boolean toolEntered;

	private @Nullable Sending inOuter;

	/**
	 * Create an attempt.
	 * @param leaseUntil when its lease runs out, on the monotonic clock
	 */
	RunningCall(Claim.Granted grant, String toolCallId, OperationStore store, long leaseUntil) {
		this.grant = grant;
		this.toolCallId = toolCallId;
		this.store = store;
		this.leaseUntil = leaseUntil;
	}

	/**
	 * The attempt this thread is inside of.
	 * @return the attempt, or empty outside a protected tool
	 */
	public static Optional<RunningCall> ofThisThread() {
		return current().filter(RunningCall.class::isInstance).map(RunningCall.class::cast);
	}

	/**
	 * Enter the tool with this call bound to the thread. To an attempt that this thread
	 * is inside of already it is one more thing that its tool does.
	 */
	@Nullable String enter(ToolBody body, String arguments) {
		this.inOuter = ofThisThread().map(RunningCall::entersAnother).orElse(null);
		Scope scope = bind();
		try {
			return body.run(this, arguments);
		}
		finally {
			scope.close();
		}
	}

	/**
	 * An HTTP request of this attempt is about to be sent.
	 * @param method its method in upper case
	 * @return where to say how it ended
	 * @throws IdempotencyException if it must not be sent: the lease of the attempt has
	 * run out, or a second unsafe request could not be recorded
	 */
	public Sending send(String method) {
		Sending sending = new Sending(SentRequest.begun(method));
		if (sending.ended.unsafe()) {
			requireClaim();
		}
		add(sending);
		return sending;
	}

	/** Another protected tool is entered inside this one, whose claim is its own. */
	private Sending entersAnother() {
		if (sentUnsafe()) {
			this.store.recordSeveralRequests(this.grant);
		}
		Sending sending = new Sending(SentRequest.begun(SentRequest.TOOL));
		add(sending);
		return sending;
	}

	/** The attempt is over and did nothing. */
	void nothingApplied() {
		if (this.inOuter != null) {
			this.inOuter.ended(new SentRequest(SentRequest.TOOL, SentRequest.Fate.REFUSED, null, null, null));
		}
	}

	private void requireClaim() {
		requireLease();
		if (sentUnsafe() && !this.store.recordSeveralRequests(this.grant)) {
			throw new IdempotencyException("%s: the claim of '%s' no longer stands, so its request was not sent."
				.formatted(requestId(), tool()));
		}
	}

	private void add(Sending sending) {
		synchronized (this.sent) {
			this.sent.add(sending);
		}
	}

	/**
	 * An HTTP request of this attempt is about to be sent where nobody follows it: on a
	 * thread that is not the tool's. It may have been carried out, whatever becomes of
	 * it.
	 * @param method its method in upper case
	 * @throws IdempotencyException if it must not be sent, as above
	 */
	public void sendElsewhere(String method) {
		send(method);
	}

	private void requireLease() {
		if (System.nanoTime() - this.leaseUntil >= 0) {
			throw new IdempotencyException(
					"%s: the lease of this attempt of '%s' has run out, so its request was not sent: others take it for over."
						.formatted(requestId(), tool()));
		}
	}

	private boolean sentUnsafe() {
		return sent().stream().anyMatch(SentRequest::unsafe);
	}

	/** What was sent so far, in the order it was begun. */
	List<SentRequest> sent() {
		synchronized (this.sent) {
			return this.sent.stream().map((sending) -> sending.ended).toList();
		}
	}

	/**
	 * How long downstream asked to wait with what it answered last.
	 * @return {@code null} if it did not ask for it
	 */
	@Nullable Duration retryAfter() {
		List<SentRequest> all = sent();
		return all.isEmpty() ? null : all.get(all.size() - 1).retryAfter();
	}

	/** The lease was renewed. */
	void renewed(long until) {
		this.leaseUntil = until;
	}

	/**
	 * The tool's own method was entered. Said by whoever stands directly before it,
	 * behind all proxies.
	 */
	public void toolEntered() {
		this.toolEntered = true;
	}

	/**
	 * Whether {@link #toolEntered()} was said.
	 * @return {@code false} also if nobody is there to say so
	 */
	public boolean isToolEntered() {
		return this.toolEntered;
	}

	@Override
	public void beforeEffect() {
		this.effectBegun = true;
	}

	boolean effectBegun() {
		return this.effectBegun;
	}

	@Override
	public String requestId() {
		return operation().requestId();
	}

	@Override
	public String taskId() {
		return operation().taskId();
	}

	@Override
	public String toolCallId() {
		return this.toolCallId;
	}

	@Override
	public String tool() {
		return operation().tool();
	}

	@Override
	public int attempt() {
		return operation().attempt();
	}

	private Operation operation() {
		return this.grant.operation();
	}

	/** When a claim that was asked for then runs out, on the monotonic clock. */
	static long leaseEnd(long askedAt, Duration lease) {
		return askedAt + TimeUnit.NANOSECONDS.convert(lease);
	}

	/** A request of this attempt. Until it has ended nothing is known of it. */
	public static final class Sending {

		private volatile SentRequest ended;

		private volatile boolean forwarded;

		Sending(SentRequest begun) {
			this.ended = begun;
		}

		/**
		 * Say how it ended.
		 * @param how what is known of it now
		 */
		public void ended(SentRequest how) {
			boolean certain = !this.forwarded || how.fate() == SentRequest.Fate.ANSWERED;
			this.ended = certain ? how : new SentRequest(how.method(), SentRequest.Fate.UNKNOWN, how.status(),
					how.failure(), how.retryAfter());
		}

		/**
		 * It was answered with a redirect that is followed: how that ends tells nothing
		 * of the request itself.
		 */
		public void forwarded() {
			this.forwarded = true;
		}

	}

}
