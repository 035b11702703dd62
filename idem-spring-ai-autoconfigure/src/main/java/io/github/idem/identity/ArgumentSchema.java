package io.github.idem.identity;

import java.util.LinkedHashSet;
import java.util.Set;

import io.github.idem.IdempotentCall;
import io.github.idem.InvalidArgumentsException;
import org.jspecify.annotations.Nullable;

/**
 * A tool's input schema, as far as it decides which calls are equal. Parsed once per
 * tool; immutable and safe for use by many threads.
 * <p>
 * Two texts of arguments have the same fingerprint exactly if they have the same
 * canonical form:
 * <ul>
 * <li>Where an object schema is closed ({@code additionalProperties} is {@code false}, as
 * in every schema that Spring AI generates for a method), only its declared properties
 * count; where it is open, all members do.</li>
 * <li>An argument that is {@code null} counts as absent, and so does a {@code null}
 * member of a nested object if the schema declares it. An undeclared member of an open
 * nested object keeps its {@code null}, since a map with it is another map. A
 * {@code null} in an array stays. See also {@link #literal(boolean)}.</li>
 * <li>Members are sorted by the UTF-16 code units of their names; the order of arrays
 * stays.</li>
 * <li>Numbers count by value, exactly: {@code 29.9}, {@code 29.90} and {@code 2.99e1} are
 * one, {@code -0} is {@code 0}.</li>
 * <li>Text stays text, and differs from the number it may hold, unless the schema allows
 * nothing but a number (or nothing but a boolean) at its place: then text that is exactly
 * a JSON number ({@code true} or {@code false}) counts as that. Not so if a double could
 * not hold the number: Spring AI hands a method all digits of text, but of a number with
 * a point only as many as a double has. A number or boolean where the schema wants a
 * string is never taken for text.</li>
 * <li>An argument that is text counts as the JSON array (object) it holds if the schema
 * allows nothing but an array (an object) in its place and the text is exactly that, by
 * the rules that hold for the arguments. The tool is then handed the array or object
 * itself. Deeper inside, text stays text: Spring AI would not bind it either.</li>
 * <li>Escapes are decoded, and there is no Unicode normalisation.</li>
 * </ul>
 * <p>
 * This is close to the JSON Canonicalization Scheme of RFC 8785, and differs from it on
 * purpose. RFC 8785 writes numbers as IEEE doubles, so that {@code 12345678901234567.89}
 * and {@code 12345678901234568.00} are one: two amounts of money are not. It keeps
 * {@code null} members and text as they are, since it knows no schema: a model that adds
 * {@code "note":null} or puts a number in quotes still means the same call. And it makes
 * a document to be sent on; the canonical form here is only hashed, so it need not be
 * JSON and escapes no more than it must.
 * <p>
 * Of JSON Schema, {@code properties}, {@code additionalProperties}, {@code items},
 * {@code prefixItems}, {@code type}, {@code enum}, {@code const}, {@code allOf},
 * {@code anyOf}, {@code oneOf} and {@code $ref} within the document are understood. Where
 * a schema is ambiguous, more members count and text stays text.
 */
public final class ArgumentSchema {

	private static final Set<String> RESERVED = Set.of(IdempotentCall.REQUEST_ID, IdempotentCall.TASK_ID,
			IdempotentCall.TOOL_CALL_ID);

	private static final int NOWHERE = Integer.MAX_VALUE;

	private final Place root;

	private final Set<String> required;

	private final Set<String> names;

	private final Set<String> reserved;

	private final int literalFrom;

	private ArgumentSchema(Place root, Set<String> required, Set<String> names, int literalFrom) {
		this.root = root;
		this.required = required;
		this.names = names;
		this.literalFrom = literalFrom;
		Set<String> reserved = new LinkedHashSet<>(RESERVED);
		reserved.removeIf(root::declares);
		this.reserved = Set.copyOf(reserved);
	}

	/**
	 * Parse an input schema.
	 * @param inputSchema the JSON text of a tool's input schema; one that is missing,
	 * blank, not JSON or not an object allows everything
	 * @return the schema
	 */
	public static ArgumentSchema of(@Nullable String inputSchema) {
		SchemaCompiler compiler = SchemaCompiler.of(inputSchema);
		return new ArgumentSchema(compiler.compile(), compiler.required(), compiler.names(), NOWHERE);
	}

	/**
	 * The same schema for a tool that takes more from its arguments than the schema says:
	 * undeclared members and {@code null} members count, inside the arguments.
	 * @param argumentsToo whether that holds for the arguments themselves, too
	 * @return another schema
	 */
	public ArgumentSchema literal(boolean argumentsToo) {
		return new ArgumentSchema(this.root, this.required, this.names, argumentsToo ? 1 : 2);
	}

	/**
	 * The names that the schema declares at any depth.
	 * @return the names
	 */
	public Set<String> names() {
		return this.names;
	}

	/**
	 * The top-level arguments that the schema declares.
	 * @return their names, in no particular order
	 */
	public Set<String> declared() {
		return Set.copyOf(this.root.declaredNames());
	}

	/**
	 * Read arguments strictly: one JSON object and nothing after it, at most 64 levels
	 * deep, no member named twice, no half of a surrogate pair, no number longer than
	 * 1000 characters. {@code null} and blank text are {@code {}}.
	 * <p>
	 * Top-level members {@code request_id}, {@code task_id} and {@code tool_call_id} are
	 * cut out, unless the schema declares them: those names are idem's.
	 * @param arguments what the model sent
	 * @param ignoring top-level arguments that don't make a call different
	 * @return the arguments
	 * @throws InvalidArgumentsException if the text is anything else; its message tells
	 * the model what to repair and never quotes a value
	 */
	public Arguments read(@Nullable String arguments, Set<String> ignoring) {
		String text = (arguments == null || arguments.isBlank()) ? "{}" : arguments;
		CanonicalReader reader = new CanonicalReader(text, this.reserved, ignoring, this.required, this.literalFrom);
		String fingerprint = reader.read(this.root).sha256();
		boolean asSent = !reader.sawReserved() && reader.unquoted().isEmpty();
		String json = asSent ? text : Rewriting.rewrite(text, this.reserved, reader.unquoted());
		return new Arguments(json, fingerprint, reader.missing());
	}

}
