package io.github.idem.tool;

import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/** Turns the arguments of a call into the values the tool will see. */
interface ArgumentConverter {

	/**
	 * Convert all arguments.
	 * @param json one JSON object
	 * @return the value of each argument, by name; absent ones are {@code null} or
	 * missing
	 * @throws io.github.idem.InvalidArgumentsException if one does not convert without
	 * loss; the message names it, and is written for the model
	 */
	Map<String, @Nullable Object> convert(String json);

	/**
	 * Whether the tool tells calls apart by more than what its schema declares.
	 * @param declared all names in the schema
	 */
	default boolean takesMoreThan(Set<String> declared) {
		return false;
	}

}
