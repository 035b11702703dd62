package io.github.idem.identity;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What a schema says about one place in the arguments. Places refer to each other, in
 * circles where the schema does; filled by {@link SchemaCompiler} and never changed
 * afterwards.
 */
final class Place {

	/** Where nothing is known: every member counts, text stays text. */
	static final Place ANY = new Place();

	private final Map<String, Place> declared = new HashMap<>();

	private @Nullable Place others;

	private boolean closed;

	private Place[] firstItems = {};

	private @Nullable Place moreItems;

	private Text text = Text.TEXT;

	/** What text counts as at a place. */
	enum Text {

		/** Text, whatever it holds. */
		TEXT,
		/** A number, if it is exactly one JSON number. */
		NUMBER,
		/** A boolean, if it is {@code true} or {@code false}. */
		BOOLEAN

	}

	void fill(Text text, boolean closed, @Nullable Place others, Place[] firstItems, @Nullable Place moreItems) {
		this.text = text;
		this.closed = closed;
		this.others = others;
		this.firstItems = firstItems;
		this.moreItems = moreItems;
	}

	void declare(String name, Place place) {
		this.declared.put(name, place);
	}

	Text text() {
		return this.text;
	}

	Set<String> declaredNames() {
		return this.declared.keySet();
	}

	boolean declares(String name) {
		return this.declared.containsKey(name);
	}

	/** Whether a member of this name is part of the value. */
	boolean counts(String name) {
		return !this.closed || this.declared.containsKey(name);
	}

	Place member(String name) {
		Place place = this.declared.get(name);
		if (place != null) {
			return place;
		}
		return (this.others != null) ? this.others : ANY;
	}

	Place item(int index) {
		if (index < this.firstItems.length) {
			return this.firstItems[index];
		}
		return (this.moreItems != null) ? this.moreItems : ANY;
	}

}
