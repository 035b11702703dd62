package io.github.idem;

/**
 * Where in a tool's body its effect can be made. An attempt that failed before it got
 * there definitely changed nothing.
 */
public enum EffectBoundary {

	/**
	 * Anywhere; or what {@code idem.default.effect} says.
	 */
	ANYWHERE,

	/**
	 * Only by unsafe HTTP requests (anything but GET, HEAD, OPTIONS and TRACE) through
	 * clients that Spring Boot built, sent on the thread the tool was entered on. Until
	 * one is sent, nothing has happened.
	 */
	HTTP,

	/** Only after {@link IdempotentCall#beforeEffect()} was called. */
	MARKED

}
