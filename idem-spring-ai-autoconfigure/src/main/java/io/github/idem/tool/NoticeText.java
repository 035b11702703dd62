package io.github.idem.tool;

import io.github.idem.operation.Answer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What the model reads where there is no result to give. */
final class NoticeText {

	private static final JsonMapper mapper = JsonMapper.shared();

	private NoticeText() {
	}

	static String of(Answer.Notice notice) {
		ObjectNode root = mapper.createObjectNode();
		root.putObject(Answer.Notice.FIELD)
			.put("status", notice.status().name())
			.put("request_id", notice.requestId())
			.put("message", notice.message());
		return mapper.writeValueAsString(root);
	}

}
