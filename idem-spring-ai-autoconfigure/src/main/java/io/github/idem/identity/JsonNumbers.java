package io.github.idem.identity;

import java.math.BigDecimal;
import java.math.BigInteger;

import tools.jackson.core.io.NumberOutput;

/**
 * Numbers by their value: {@code 29.9}, {@code 29.90} and {@code 2.99e1} are all written
 * {@code 299e-1}.
 * <p>
 * Works on the digits, so the result is exact, and the cost grows with the length of the
 * text only: {@code 1e999999999} is as cheap as {@code 1}.
 */
final class JsonNumbers {

	/** Jackson's own limit, which a longer number would meet on its way to the tool. */
	static final int MAX_LENGTH = 1000;

	/** What always fits a long, whatever is then added for the digits. */
	private static final int LONG_DIGITS = 17;

	/** As many digits as every double keeps, and a sign or point with them. */
	private static final int DOUBLE_DIGITS = 15;

	private JsonNumbers() {
	}

	/**
	 * Write the value of a JSON number: its digits without zeros at either end,
	 * {@code e}, and the power of ten; {@code 0} for every zero.
	 * @return {@code false}, with nothing written, if the text is not exactly one JSON
	 * number
	 */
	static boolean write(char[] text, int offset, int count, Utf8Buffer out) {
		int end = offset + count;
		int i = offset;
		boolean negative = i < end && text[i] == '-';
		int whole = negative ? i + 1 : i;
		i = digits(text, whole, end);
		if (i == whole || (text[whole] == '0' && i - whole > 1)) {
			return false;
		}
		int wholeEnd = i;
		int fraction = i;
		if (i < end && text[i] == '.') {
			fraction = i + 1;
			i = digits(text, fraction, end);
			if (i == fraction) {
				return false;
			}
		}
		int fractionEnd = i;
		int exponent = i;
		if (i < end && (text[i] == 'e' || text[i] == 'E')) {
			exponent = i + 1;
			int signed = (exponent < end && (text[exponent] == '+' || text[exponent] == '-')) ? exponent + 1 : exponent;
			i = digits(text, signed, end);
			if (i == signed) {
				return false;
			}
		}
		if (i != end) {
			return false;
		}
		int first = whole;
		while (first < fractionEnd && (text[first] == '0' || text[first] == '.')) {
			first++;
		}
		if (first == fractionEnd) {
			out.write('0');
			return true;
		}
		int last = fractionEnd - 1;
		while (text[last] == '0' || text[last] == '.') {
			last--;
		}
		if (negative) {
			out.write('-');
		}
		for (int d = first; d <= last; d++) {
			if (text[d] != '.') {
				out.write(text[d]);
			}
		}
		out.write('e');
		// How far the last written digit stands from the ones place.
		int shift = (last < wholeEnd) ? wholeEnd - 1 - last : fraction - 1 - last;
		if (exponent == end) {
			out.writeNumber(shift);
		}
		else {
			writeSum(text, exponent, end, shift, out);
		}
		return true;
	}

	/**
	 * Whether a number in quotes is what it would be without. On its way to a method a
	 * number with a point or an exponent passes through a double and may lose digits that
	 * it keeps as text; then the two are different arguments.
	 * @return whether no digit would be lost; anything for text that is no number
	 */
	static boolean survivesDouble(char[] text, int offset, int count) {
		boolean whole = true;
		boolean zero = true;
		boolean exponent = false;
		for (int i = offset; i < offset + count; i++) {
			char c = text[i];
			exponent |= c == 'e' || c == 'E';
			whole &= c != '.' && !exponent;
			zero &= exponent || c < '1' || c > '9';
		}
		if (whole || zero || (!exponent && count <= DOUBLE_DIGITS)) {
			return true;
		}
		try {
			String number = new String(text, offset, count);
			double value = Double.parseDouble(number);
			// The shortest digits, which not every JDK's Double.toString finds.
			return value != 0 && Double.isFinite(value)
					&& new BigDecimal(NumberOutput.toString(value, true)).compareTo(new BigDecimal(number)) == 0;
		}
		catch (NumberFormatException ex) {
			return false;
		}
	}

	private static int digits(char[] text, int from, int end) {
		int i = from;
		while (i < end && text[i] >= '0' && text[i] <= '9') {
			i++;
		}
		return i;
	}

	private static void writeSum(char[] text, int from, int end, int shift, Utf8Buffer out) {
		String exponent = new String(text, from, end - from);
		if (exponent.length() <= LONG_DIGITS) {
			out.writeNumber(Long.parseLong(exponent) + shift);
		}
		else {
			out.writeAscii(new BigInteger(exponent).add(BigInteger.valueOf(shift)).toString());
		}
	}

}
