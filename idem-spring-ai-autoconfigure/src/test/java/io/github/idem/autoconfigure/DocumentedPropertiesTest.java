package io.github.idem.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The README's table of settings against the metadata that an IDE shows. */
class DocumentedPropertiesTest {

	private static final Pattern ROW = Pattern.compile("^\\| `(idem\\.[a-z.-]+)` \\| (.*?) \\| (.*) \\|$",
			Pattern.MULTILINE);

	@Test
	void theReadmeNamesEverySettingAndItsDefault() throws IOException {
		Map<String, String> documented = new TreeMap<>();
		Matcher row = ROW.matcher(Files.readString(Path.of("..", "README.md")));
		while (row.find()) {
			documented.put(row.group(1), row.group(2).replace("`", ""));
		}
		Map<String, String> real = new TreeMap<>();
		for (JsonNode property : metadata()) {
			String value = property.path("defaultValue").asString("");
			String name = property.path("name").asString();
			real.put(name, value.isEmpty() ? documented.getOrDefault(name, "") : value);
		}
		assertThat(documented).isEqualTo(real);
	}

	@Test
	void everySettingHasADescription() throws IOException {
		assertThat(metadata()).isNotEmpty()
			.allSatisfy((property) -> assertThat(property.path("description").asString(""))
				.as(property.path("name").asString())
				.isNotBlank());
	}

	private static Iterable<JsonNode> metadata() throws IOException {
		try (InputStream metadata = IdemProperties.class
			.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
			return JsonMapper.shared().readTree(metadata).path("properties");
		}
	}

}
