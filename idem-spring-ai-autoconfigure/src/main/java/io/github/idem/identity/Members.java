package io.github.idem.identity;

import java.util.Arrays;
import java.util.Comparator;

import org.jspecify.annotations.Nullable;

/**
 * The members of one object while it is read: where each was written. Members that do not
 * count are here too, with nothing written, because they may not be named twice either.
 */
final class Members {

	private String[] names = new String[8];

	private int[] starts = new int[9];

	private int count;

	private int start;

	private boolean ascending;

	void clear(int start) {
		this.count = 0;
		this.start = start;
		this.ascending = true;
	}

	/** Where the first member begins. */
	int start() {
		return this.start;
	}

	void add(String name, int start) {
		if (this.count == this.names.length) {
			this.names = Arrays.copyOf(this.names, this.count * 2);
			this.starts = Arrays.copyOf(this.starts, this.count * 2 + 1);
		}
		if (this.count > 0 && this.names[this.count - 1].compareTo(name) >= 0) {
			this.ascending = false;
		}
		this.names[this.count] = name;
		this.starts[this.count++] = start;
	}

	/**
	 * Bring what was written into the order of the names.
	 * @return a name that is there twice, or {@code null}
	 */
	@Nullable String sort(Utf8Buffer out) {
		if (this.ascending) {
			return null;
		}
		Integer[] order = new Integer[this.count];
		Arrays.setAll(order, (i) -> i);
		Arrays.sort(order, Comparator.comparing((i) -> this.names[i]));
		this.starts[this.count] = out.length();
		byte[] written = out.copyFrom(this.start);
		out.truncate(this.start);
		String previous = null;
		for (int i : order) {
			if (this.names[i].equals(previous)) {
				return previous;
			}
			previous = this.names[i];
			out.write(written, this.starts[i] - this.start, this.starts[i + 1] - this.start);
		}
		return null;
	}

}
