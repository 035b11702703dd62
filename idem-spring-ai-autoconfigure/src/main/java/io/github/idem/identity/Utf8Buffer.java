package io.github.idem.identity;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A growing run of bytes that text is written to and that is hashed in the end.
 * <p>
 * Unlike {@link String#getBytes(java.nio.charset.Charset)} it does not turn half a
 * surrogate pair into a question mark: that would make different texts equal.
 */
final class Utf8Buffer {

	/** Never fed, only copied. */
	private static final MessageDigest SHA_256 = lookUp();

	private byte[] bytes;

	private int length;

	Utf8Buffer(int capacity) {
		this.bytes = new byte[Math.max(capacity, 64)];
	}

	int length() {
		return this.length;
	}

	/** Forget what was written from this position on. */
	void truncate(int position) {
		this.length = position;
	}

	void write(char ascii) {
		ensure(1);
		this.bytes[this.length++] = (byte) ascii;
	}

	void writeAscii(String ascii) {
		ensure(ascii.length());
		for (int i = 0; i < ascii.length(); i++) {
			this.bytes[this.length++] = (byte) ascii.charAt(i);
		}
	}

	/** Write a whole number in decimal digits. */
	void writeNumber(long number) {
		if (number >= 0 && number < 10) {
			write((char) ('0' + number));
		}
		else if (number < 0 && number > -10) {
			write('-');
			write((char) ('0' - number));
		}
		else {
			writeAscii(Long.toString(number));
		}
	}

	/** The last byte becomes another one. */
	void overwriteLast(char ascii) {
		this.bytes[this.length - 1] = (byte) ascii;
	}

	/**
	 * Write text between double quotes, with a backslash before quotes and backslashes:
	 * the end is then always where it seems to be.
	 * @return whether every surrogate had its other half
	 */
	boolean writeQuoted(char[] text, int offset, int count) {
		write('"');
		boolean paired = writeText(text, offset, count, true);
		write('"');
		return paired;
	}

	/**
	 * Write the name of a member, quoted, and a colon.
	 * @return whether every surrogate had its other half
	 */
	boolean writeName(String name) {
		boolean paired = writeQuoted(name.toCharArray(), 0, name.length());
		write(':');
		return paired;
	}

	/**
	 * Write text as it is.
	 * @return whether every surrogate had its other half
	 */
	boolean writeText(String text) {
		return writeText(text.toCharArray(), 0, text.length(), false);
	}

	private boolean writeText(char[] text, int offset, int count, boolean escape) {
		ensure(count);
		byte[] to = this.bytes;
		int at = this.length;
		int end = offset + count;
		int i = offset;
		for (; i < end; i++) {
			char c = text[i];
			if (c >= 0x80 || (escape && (c == '"' || c == '\\'))) {
				break;
			}
			to[at++] = (byte) c;
		}
		this.length = at;
		return i == end || writeRest(text, i, end, escape);
	}

	/** Slower, for text with anything but plain characters, from the first of them on. */
	private boolean writeRest(char[] text, int from, int end, boolean escape) {
		// At most three bytes for each character: those with four are two characters.
		ensure(3 * (end - from));
		byte[] to = this.bytes;
		int at = this.length;
		boolean paired = true;
		for (int i = from; i < end; i++) {
			char c = text[i];
			if (c < 0x80) {
				if (escape && (c == '"' || c == '\\')) {
					to[at++] = '\\';
				}
				to[at++] = (byte) c;
			}
			else if (c < 0x800) {
				to[at++] = (byte) (0xc0 | c >> 6);
				to[at++] = (byte) (0x80 | c & 0x3f);
			}
			else if (Character.isHighSurrogate(c) && i + 1 < end && Character.isLowSurrogate(text[i + 1])) {
				int codePoint = Character.toCodePoint(c, text[++i]);
				to[at++] = (byte) (0xf0 | codePoint >> 18);
				to[at++] = (byte) (0x80 | codePoint >> 12 & 0x3f);
				to[at++] = (byte) (0x80 | codePoint >> 6 & 0x3f);
				to[at++] = (byte) (0x80 | codePoint & 0x3f);
			}
			else {
				paired &= !Character.isSurrogate(c);
				to[at++] = (byte) (0xe0 | c >> 12);
				to[at++] = (byte) (0x80 | c >> 6 & 0x3f);
				to[at++] = (byte) (0x80 | c & 0x3f);
			}
		}
		this.length = at;
		return paired;
	}

	/** Write bytes that another buffer holds. */
	void write(byte[] source) {
		ensure(source.length);
		System.arraycopy(source, 0, this.bytes, this.length, source.length);
		this.length += source.length;
	}

	/** Copy a part of what was written behind the end. */
	void repeat(int from, int to) {
		ensure(to - from);
		System.arraycopy(this.bytes, from, this.bytes, this.length, to - from);
		this.length += to - from;
	}

	/** Take away a part of what was written; what is behind it closes up. */
	void remove(int from, int to) {
		System.arraycopy(this.bytes, to, this.bytes, from, this.length - to);
		this.length -= to - from;
	}

	byte[] toByteArray() {
		return Arrays.copyOf(this.bytes, this.length);
	}

	/** SHA-256 of all that was written, as 64 lower-case hex digits. */
	String sha256() {
		MessageDigest digest = newDigest();
		digest.update(this.bytes, 0, this.length);
		return HexFormat.of().formatHex(digest.digest());
	}

	/** A copy costs a fraction of asking the security providers again. */
	private static MessageDigest newDigest() {
		try {
			return (MessageDigest) SHA_256.clone();
		}
		catch (CloneNotSupportedException ex) {
			return lookUp();
		}
	}

	private static MessageDigest lookUp() {
		try {
			return MessageDigest.getInstance("SHA-256");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

	private void ensure(int more) {
		if (this.bytes.length - this.length < more) {
			int needed = Math.addExact(this.length, more);
			this.bytes = Arrays.copyOf(this.bytes, Math.max(needed, needed + needed / 2));
		}
	}

}
