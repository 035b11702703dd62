package io.github.idem.identity;

import java.nio.charset.StandardCharsets;
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
	 * Write text as it is.
	 * @return whether every surrogate had its other half
	 */
	boolean writeText(String text) {
		return writeText(text.toCharArray(), 0, text.length(), false);
	}

	private boolean writeText(char[] text, int offset, int count, boolean escape) {
		boolean paired = true;
		int end = offset + count;
		ensure(count);
		for (int i = offset; i < end; i++) {
			char c = text[i];
			if (c < 0x80) {
				// One byte for this character and each one that follows, escapes apart.
				if (escape && (c == '"' || c == '\\')) {
					ensure(end - i + 1);
					this.bytes[this.length++] = '\\';
				}
				this.bytes[this.length++] = (byte) c;
				continue;
			}
			ensure(end - i + 3);
			if (c < 0x800) {
				this.bytes[this.length++] = (byte) (0xc0 | c >> 6);
			}
			else if (Character.isHighSurrogate(c) && i + 1 < end && Character.isLowSurrogate(text[i + 1])) {
				int codePoint = Character.toCodePoint(c, text[++i]);
				this.bytes[this.length++] = (byte) (0xf0 | codePoint >> 18);
				this.bytes[this.length++] = (byte) (0x80 | codePoint >> 12 & 0x3f);
				this.bytes[this.length++] = (byte) (0x80 | codePoint >> 6 & 0x3f);
				this.bytes[this.length++] = (byte) (0x80 | codePoint & 0x3f);
				continue;
			}
			else {
				paired &= !Character.isSurrogate(c);
				this.bytes[this.length++] = (byte) (0xe0 | c >> 12);
				this.bytes[this.length++] = (byte) (0x80 | c >> 6 & 0x3f);
			}
			this.bytes[this.length++] = (byte) (0x80 | c & 0x3f);
		}
		return paired;
	}

	byte[] copyFrom(int position) {
		return Arrays.copyOfRange(this.bytes, position, this.length);
	}

	void write(byte[] source, int from, int to) {
		ensure(to - from);
		System.arraycopy(source, from, this.bytes, this.length, to - from);
		this.length += to - from;
	}

	/** SHA-256 of all that was written, as 64 lower-case hex digits. */
	String sha256() {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			digest.update(this.bytes, 0, this.length);
			return HexFormat.of().formatHex(digest.digest());
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

	private void ensure(int more) {
		if (this.bytes.length - this.length < more) {
			this.bytes = Arrays.copyOf(this.bytes, Math.max(this.bytes.length * 2, this.length + more));
		}
	}

	@Override
	public String toString() {
		return new String(this.bytes, 0, this.length, StandardCharsets.UTF_8);
	}

}
