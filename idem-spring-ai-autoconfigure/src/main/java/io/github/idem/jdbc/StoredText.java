package io.github.idem.jdbc;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Text as every database takes it. PostgreSQL refuses U+0000 in {@code text}, and neither
 * a lone surrogate survives the way there; both are written as U+001A and four hex
 * digits, and so is U+001A itself. All other text, which is nearly all there is, stays as
 * it is, and every text comes back as it was.
 */
final class StoredText {

	private static final char ESCAPE = '\u001A';

	private static final HexFormat HEX = HexFormat.of();

	private StoredText() {
	}

	static String encode(String text) {
		int first = 0;
		while (first < text.length() && !mustEscape(text, first)) {
			first++;
		}
		if (first == text.length()) {
			return text;
		}
		StringBuilder encoded = new StringBuilder(text.length() + 16).append(text, 0, first);
		for (int i = first; i < text.length(); i++) {
			char c = text.charAt(i);
			if (mustEscape(text, i)) {
				encoded.append(ESCAPE).append(HEX.toHexDigits(c));
			}
			else {
				encoded.append(c);
			}
		}
		return encoded.toString();
	}

	static String decode(String stored) {
		int escape = stored.indexOf(ESCAPE);
		if (escape < 0) {
			return stored;
		}
		StringBuilder text = new StringBuilder(stored.length());
		int from = 0;
		while (escape >= 0) {
			text.append(stored, from, escape).append((char) HexFormat.fromHexDigits(stored, escape + 1, escape + 5));
			from = escape + 5;
			escape = stored.indexOf(ESCAPE, from);
		}
		return text.append(stored, from, stored.length()).toString();
	}

	/**
	 * What stands for a text in a unique constraint.
	 * @param text any text
	 * @return the text itself if it is short, else its beginning and its SHA-256, longer
	 * than any text that stands for itself
	 */
	static String key(String text) {
		String stored = encode(text);
		if (stored.getBytes(StandardCharsets.UTF_8).length <= 128) {
			return text;
		}
		int end = text.offsetByCodePoints(0, Math.min(64, text.codePointCount(0, text.length())));
		return text.substring(0, end) + ':' + sha256(stored);
	}

	static String sha256(String text) {
		try {
			return HEX
				.formatHex(MessageDigest.getInstance("SHA-256").digest(encode(text).getBytes(StandardCharsets.UTF_8)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

	private static boolean mustEscape(String text, int index) {
		char c = text.charAt(index);
		if (c == 0 || c == ESCAPE) {
			return true;
		}
		if (Character.isHighSurrogate(c)) {
			return index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1));
		}
		if (Character.isLowSurrogate(c)) {
			return index == 0 || !Character.isHighSurrogate(text.charAt(index - 1));
		}
		return false;
	}

}
