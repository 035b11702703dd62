package io.github.idem.identity;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * The members of one object while it is read: where each was written. Members that do not
 * count are here too, with nothing written, because they may not be named twice either.
 */
final class Members {

	/** Up to here inserting one by one beats sorting. */
	private static final int FEW = 16;

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
		int end = out.length();
		this.starts[this.count] = end;
		int[] order = order();
		for (int i = 1; i < this.count; i++) {
			if (this.names[order[i]].equals(this.names[order[i - 1]])) {
				return this.names[order[i]];
			}
		}
		// Written once more in order, behind what is there, which is then taken away.
		for (int i = 0; i < this.count; i++) {
			out.repeat(this.starts[order[i]], this.starts[order[i] + 1]);
		}
		out.remove(this.start, end);
		return null;
	}

	private int[] order() {
		if (this.count > FEW) {
			return IntStream.range(0, this.count)
				.boxed()
				.sorted(Comparator.comparing((i) -> this.names[i]))
				.mapToInt(Integer::intValue)
				.toArray();
		}
		int[] order = new int[this.count];
		for (int i = 0; i < this.count; i++) {
			int at = i;
			for (; at > 0 && this.names[order[at - 1]].compareTo(this.names[i]) > 0; at--) {
				order[at] = order[at - 1];
			}
			order[at] = i;
		}
		return order;
	}

}
