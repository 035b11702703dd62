package io.github.idem.jdbc;

import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * One SQL statement with its parameters by name ({@code :name}), parsed once. Values are
 * always bound, never written into the text.
 */
final class Sql {

	private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z_]+)");

	/** H2 takes no longer ones but as a stream. */
	private static final int LONGEST_STRING = 1024 * 1024;

	private final String text;

	private final List<String> parameters = new ArrayList<>();

	/**
	 * Prepare a statement's text.
	 * @param named the text
	 * @param qualifier put before the name of every table and function of ours; empty if
	 * the connection's schema is the right one
	 */
	Sql(String named, String qualifier) {
		Matcher matcher = PARAMETER.matcher(named);
		StringBuilder positional = new StringBuilder();
		while (matcher.find()) {
			this.parameters.add(matcher.group(1));
			matcher.appendReplacement(positional, "?");
		}
		matcher.appendTail(positional);
		this.text = positional.toString().replace("idem_", qualifier + "idem_").strip();
	}

	PreparedStatement prepare(Connection connection, SqlValues values) throws SQLException {
		PreparedStatement statement = connection.prepareStatement(this.text);
		try {
			for (int i = 0; i < this.parameters.size(); i++) {
				bind(statement, i + 1, values.get(this.parameters.get(i)));
			}
			return statement;
		}
		catch (SQLException | RuntimeException ex) {
			statement.close();
			throw ex;
		}
	}

	private static void bind(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
		if (value instanceof String string) {
			bindText(statement, index, StoredText.encode(string));
		}
		else if (value != null) {
			statement.setObject(index, value);
		}
		else {
			statement.setNull(index, Types.VARCHAR);
		}
	}

	private static void bindText(PreparedStatement statement, int index, String text) throws SQLException {
		if (text.length() > LONGEST_STRING) {
			statement.setCharacterStream(index, new StringReader(text), text.length());
		}
		else {
			statement.setString(index, text);
		}
	}

}
