package io.github.idem.identity;

import java.util.List;
import java.util.Objects;

/**
 * The arguments of one call, read strictly.
 *
 * @param json what to hand to the tool: the model's own text, unchanged to the last
 * character, unless members reserved for idem had to be cut out of it, an array or object
 * had to be freed from quotes, or it was blank ({@code "{}"})
 * @param fingerprint SHA-256 of the canonical form, 64 lower-case hex digits; see
 * {@link ArgumentSchema}
 * @param missing the top-level arguments that the schema requires and that are missing or
 * {@code null}, in the schema's order
 */
public record Arguments(String json, String fingerprint, List<String> missing) {

	public Arguments {
		Objects.requireNonNull(json, "json");
		Objects.requireNonNull(fingerprint, "fingerprint");
		missing = List.copyOf(missing);
	}

	/**
	 * Without the arguments themselves, which are nobody's business in a log.
	 */
	@Override
	public String toString() {
		return "Arguments[fingerprint=" + this.fingerprint + ", missing=" + this.missing + "]";
	}

}
