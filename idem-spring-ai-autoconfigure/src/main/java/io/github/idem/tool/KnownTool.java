package io.github.idem.tool;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.idem.ReadOnlyTool;
import io.github.idem.operation.ToolPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;

/**
 * A tool that is known at start-up, and what it looks like.
 *
 * @param where the bean it comes from
 * @param bean the name of that bean, if its method is the tool
 * @param name the tool's name
 * @param description what the model is told of it
 * @param method its method, if it has one
 * @param callback the tool itself, if it exists already
 */
record KnownTool(String where, @Nullable String bean, String name, String description, @Nullable Method method,
		@Nullable ToolCallback callback) {

	private static final Set<String> WRITES = Set.of("add", "append", "approve", "archive", "assign", "book", "buy",
			"cancel", "capture", "change", "charge", "checkout", "close", "commit", "confirm", "create", "debit",
			"credit", "decline", "delete", "deliver", "deploy", "deposit", "dispatch", "drop", "email", "execute",
			"grant", "insert", "invite", "invoice", "issue", "mail", "merge", "modify", "move", "notify", "open",
			"order", "patch", "pay", "place", "post", "publish", "purchase", "push", "put", "redeem", "refund",
			"register", "reject", "release", "remove", "rename", "reserve", "reset", "revoke", "save", "schedule",
			"sell", "send", "set", "ship", "sign", "start", "stop", "store", "submit", "subscribe", "transfer",
			"trigger", "unsubscribe", "update", "upload", "upsert", "withdraw", "write");

	private static final Set<String> READS = Set.of("calculate", "check", "count", "describe", "estimate", "explain",
			"fetch", "find", "get", "has", "is", "list", "load", "look", "lookup", "preview", "query", "read",
			"retrieve", "search", "show", "summarize", "validate", "view");

	private static final Set<String> HTTP_CLIENTS = Set.of("org.springframework.web.client.RestClient",
			"org.springframework.web.client.RestTemplate", "org.springframework.web.client.RestOperations",
			"org.springframework.web.reactive.function.client.WebClient", "java.net.http.HttpClient",
			"okhttp3.OkHttpClient");

	private static final List<String> RETRIES = List.of("org.springframework.resilience.annotation.Retryable",
			"org.springframework.retry.annotation.Retryable", "io.github.resilience4j.retry.annotation.Retry");

	private static final Pattern WORDS = Pattern.compile("[^A-Za-z]+|(?<=[a-z])(?=[A-Z])");

	/** Whether another way leads to the same tool. */
	boolean is(ToolCallback other) {
		return this.name.equals(other.getToolDefinition().name())
				&& Objects.equals(this.method, ToolMethods.of(ToolMethods.undecorated(other)));
	}

	/** How it is protected, if it is. */
	@Nullable ToolPolicy policy(ToolPolicies policies) {
		if (this.callback != null) {
			return policies.find(this.callback);
		}
		return (this.method != null) ? policies.find(this.method) : null;
	}

	/** Whether the developer said that it changes nothing. */
	boolean declaredReadOnly() {
		return this.method != null && AnnotatedElementUtils.hasAnnotation(this.method, ReadOnlyTool.class);
	}

	/**
	 * Why it looks as if it changes something.
	 * @return the reason, or {@code null} if it does not
	 */
	@Nullable String looksLikeWriter() {
		List<String> words = words(this.name).toList();
		if (!words.isEmpty() && READS.contains(words.get(0))) {
			return null;
		}
		String inName = words.stream().filter(WRITES::contains).findFirst().orElse(null);
		if (inName != null) {
			return "its name says '" + inName + "'";
		}
		String verb = words(this.description).findFirst().map(KnownTool::imperative).orElse("");
		if (READS.contains(verb)) {
			return null;
		}
		if (WRITES.contains(verb)) {
			return "its description says '" + verb + "'";
		}
		return callsOverHttp() ? "its class has an HTTP client" : null;
	}

	/** Whether something repeats its method behind the engine's back. */
	boolean retried() {
		return this.method != null && RETRIES.stream().anyMatch(MergedAnnotations.from(this.method)::isPresent);
	}

	private boolean callsOverHttp() {
		return this.method != null && Arrays.stream(this.method.getDeclaringClass().getDeclaredFields())
			.map(Field::getType)
			.map(Class::getName)
			.anyMatch(HTTP_CLIENTS::contains);
	}

	private static Stream<String> words(String text) {
		return WORDS.splitAsStream(text).filter((word) -> !word.isEmpty()).map((word) -> word.toLowerCase(Locale.ROOT));
	}

	/** "Charges a user" and "charge a user" say the same. */
	private static String imperative(String verb) {
		if (WRITES.contains(verb) || READS.contains(verb) || !verb.endsWith("s")) {
			return verb;
		}
		String shorter = verb.substring(0, verb.length() - 1);
		return (shorter.endsWith("e") && !WRITES.contains(shorter) && !READS.contains(shorter))
				? shorter.substring(0, shorter.length() - 1) : shorter;
	}

}
