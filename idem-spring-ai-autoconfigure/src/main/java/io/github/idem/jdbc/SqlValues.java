package io.github.idem.jdbc;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** The values of a statement's parameters, by name. */
final class SqlValues {

	private final Map<String, @Nullable Object> values = new HashMap<>();

	SqlValues with(String name, @Nullable Object value) {
		this.values.put(name, value);
		return this;
	}

	@Nullable Object get(String name) {
		if (!this.values.containsKey(name)) {
			throw new IllegalStateException("No value for parameter " + name);
		}
		return this.values.get(name);
	}

}
