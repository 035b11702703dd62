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

	private final Map<String, Member> declared = new HashMap<>();

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
		BOOLEAN,
		/** The array it holds, if it is exactly one JSON array; among arguments only. */
		ARRAY,
		/**
		 * The object it holds, if it is exactly one JSON object; among arguments only.
		 */
		OBJECT

	}

	/**
	 * A declared member.
	 *
	 * @param place the place of its value
	 * @param written its name as it is written in the canonical form
	 */
	record Member(Place place, byte[] written) {
	}

	void fill(Text text, boolean closed, @Nullable Place others, Place[] firstItems, @Nullable Place moreItems) {
		this.text = text;
		this.closed = closed;
		this.others = others;
		this.firstItems = firstItems;
		this.moreItems = moreItems;
	}

	void declare(String name, Place place) {
		Utf8Buffer written = new Utf8Buffer(name.length());
		if (written.writeName(name)) {
			this.declared.put(name, new Member(place, written.toByteArray()));
		}
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

	@Nullable Member declared(String name) {
		return this.declared.get(name);
	}

	/** Whether members that are not declared are no part of the value. */
	boolean isClosed() {
		return this.closed;
	}

	/** The place of members that are not declared. */
	Place others() {
		return (this.others != null) ? this.others : ANY;
	}

	Place item(int index) {
		if (index < this.firstItems.length) {
			return this.firstItems[index];
		}
		return (this.moreItems != null) ? this.moreItems : ANY;
	}

}
