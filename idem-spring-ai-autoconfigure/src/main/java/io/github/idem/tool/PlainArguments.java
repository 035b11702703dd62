package io.github.idem.tool;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** For tools whose parameters are not known: plain JSON values, numbers exact. */
final class PlainArguments implements ArgumentConverter {

	static final PlainArguments INSTANCE = new PlainArguments();

	private static final TypeReference<Map<String, @Nullable Object>> MAP = new TypeReference<>() {
	};

	private final JsonMapper mapper = JsonMapper.builder()
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.build();

	private PlainArguments() {
	}

	@Override
	public Map<String, @Nullable Object> convert(String json) {
		return this.mapper.readValue(json, MAP);
	}

}
