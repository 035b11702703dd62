package io.github.idem.http;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

import io.github.idem.SentRequest;
import io.github.idem.SentRequest.Fate;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a request by the way it ended.
 * <ul>
 * <li>No connection: unknown host, no route, refused, connect timeout: nothing was sent,
 * and that may pass.
 * <li>1xx, 2xx, 3xx: answered.
 * <li>429: not carried out, and that passes.
 * <li>408, 409, 425, 460 and 499 (somebody on the way gave up waiting), 5xx, and every
 * other failure: not known.
 * <li>Other 4xx: not carried out.
 * </ul>
 * Only where it was sent once: if something inside sent it several times, the last end
 * tells nothing of the ones before.
 */
final class Fates {

	/** By name, since none of these clients has to be there. */
	private static final Set<String> NO_CONNECTION = Set.of("java.net.http.HttpConnectTimeoutException",
			"org.apache.hc.client5.http.ConnectTimeoutException", "org.apache.hc.client5.http.HttpHostConnectException",
			"io.netty.channel.ConnectTimeoutException");

	private static final Set<Integer> NOT_KNOWN = Set.of(408, 409, 425, 460, 499);

	private static final int TOO_MANY_REQUESTS = 429;

	private Fates() {
	}

	static SentRequest answered(String method, int status, @Nullable String retryAfter, boolean sentOnce) {
		Fate fate = fate(status);
		boolean certain = sentOnce || fate == Fate.ANSWERED;
		return new SentRequest(method, certain ? fate : Fate.UNKNOWN, status, null, delay(retryAfter));
	}

	static SentRequest failed(String method, Throwable failure, boolean sentOnce) {
		return new SentRequest(method, (sentOnce && isNoConnection(failure)) ? Fate.REFUSED_FOR_NOW : Fate.UNKNOWN,
				null, failure, null);
	}

	private static Fate fate(int status) {
		if (status < 400) {
			return Fate.ANSWERED;
		}
		if (status == TOO_MANY_REQUESTS) {
			return Fate.REFUSED_FOR_NOW;
		}
		return (status >= 500 || NOT_KNOWN.contains(status)) ? Fate.UNKNOWN : Fate.REFUSED;
	}

	private static boolean isNoConnection(Throwable failure) {
		Set<Throwable> seen = new HashSet<>();
		for (Throwable current = failure; current != null && seen.add(current); current = current.getCause()) {
			if (current instanceof ConnectException || current instanceof UnknownHostException
					|| current instanceof NoRouteToHostException || current instanceof UnresolvedAddressException
					|| NO_CONNECTION.contains(current.getClass().getName()) || timedOutConnecting(current)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * The JDK's plain sockets throw the same type for a connection that is not made and
	 * an answer that does not come. Only where it was thrown tells.
	 */
	private static boolean timedOutConnecting(Throwable failure) {
		return failure.getClass() == SocketTimeoutException.class && Arrays.stream(failure.getStackTrace())
			.anyMatch((frame) -> frame.getClassName().equals("java.net.Socket")
					&& frame.getMethodName().equals("connect"));
	}

	private static @Nullable Duration delay(@Nullable String retryAfter) {
		if (retryAfter == null) {
			return null;
		}
		try {
			long seconds = Long.parseLong(retryAfter.strip());
			return (seconds >= 0) ? Duration.ofSeconds(seconds) : null;
		}
		catch (NumberFormatException ex) {
			boolean tooLong = retryAfter.strip().chars().allMatch((digit) -> digit >= '0' && digit <= '9');
			return (tooLong && !retryAfter.isBlank()) ? Duration.ofSeconds(Long.MAX_VALUE)
					: untilDate(retryAfter.strip());
		}
	}

	private static @Nullable Duration untilDate(String date) {
		try {
			Instant when = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
			Duration until = Duration.between(Instant.now(), when);
			return until.isNegative() ? Duration.ZERO : until;
		}
		catch (DateTimeParseException ex) {
			return null;
		}
	}

}
