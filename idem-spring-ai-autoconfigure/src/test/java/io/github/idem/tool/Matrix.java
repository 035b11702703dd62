package io.github.idem.tool;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.github.idem.tool.ToolCallTest.Mode;

import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Goes through doors and looks at what became of it. One model and one database serve all
 * applications, which are started when a door first needs them.
 */
final class Matrix implements AutoCloseable {

	/** What the tool returns the first time, as the model reads it. */
	static final String RECEIPT = "\"paid 29.9 as #0\"";

	private final Map<String, Object> database;

	private final Set<Hook> withoutHooks;

	private final ScriptedChatModel model = new ScriptedChatModel();

	private final Map<List<Object>, ConfigurableApplicationContext> applications = new HashMap<>();

	Matrix(Map<String, Object> database, Set<Hook> withoutHooks) {
		this.database = database;
		this.withoutHooks = withoutHooks;
	}

	/**
	 * The tool is entered once, under the first call's ids, and both calls are told the
	 * same.
	 */
	void check(Door door, Mode mode) throws Exception {
		Visit visit = open(door, mode);
		assertThat(visit.till().entered).as("ids inside the tool").containsExactly(Till.Ids.OF_FIRST_CALL);
		assertThat(visit.till().contexts).as("ids in the tool context")
			.allSatisfy((ids) -> assertThat(ids).isEqualTo(Till.Ids.OF_FIRST_CALL));
		assertThat(this.model.toolResponses()).filteredOn((response) -> !response.id().equals("call_3"))
			.as("what the model was told")
			.extracting(ToolResponse::responseData)
			.allSatisfy((text) -> assertThat(text).isEqualTo(RECEIPT));
		assertThat(this.model.timesCalled()).as("how often the model was asked").isGreaterThanOrEqualTo(2);
		assertThat(statuses(visit)).containsExactly("SUCCEEDED");
	}

	/** Go through a door with an empty record. */
	Visit open(Door door, Mode mode) throws Exception {
		Visit visit = new Visit(mode, application(ApplicationDoors.Plain.class), this.model, new Till(),
				this::application);
		JdbcClient jdbc = visit.bean(JdbcClient.class);
		for (String table : List.of("idem_operation", "idem_transition", "idem_discrepancy")) {
			jdbc.sql("DELETE FROM " + table).update();
		}
		visit.bean(Payments.class).forget();
		this.model.forget();
		visit.replans("pay");
		door.opening().open(visit);
		return visit;
	}

	static List<String> statuses(Visit visit) {
		return visit.bean(JdbcClient.class).sql("SELECT status FROM idem_operation").query(String.class).list();
	}

	private ConfigurableApplicationContext application(Class<?> configuration, String... properties) {
		return this.applications.computeIfAbsent(List.of(configuration, Arrays.asList(properties)),
				(key) -> start(configuration, properties));
	}

	private ConfigurableApplicationContext start(Class<?> configuration, String... properties) {
		return new SpringApplicationBuilder(configuration).web(WebApplicationType.NONE)
			.properties(Stream
				.concat(Stream.of("spring.application.name=matrix", "spring.ai.model.chat=none",
						"spring.ai.openai.api-key=none", "spring.main.banner-mode=off",
						"idem.tools.payByName.duplicates=collapse"), Arrays.stream(properties))
				.toArray(String[]::new))
			.properties(this.database)
			.initializers((context) -> register((GenericApplicationContext) context))
			.run();
	}

	private void register(GenericApplicationContext context) {
		context.registerBean("chatModel", ScriptedChatModel.class, () -> this.model);
		context.registerBean(Payments.class);
		context.registerBean(Hook.Remover.class, () -> new Hook.Remover(this.withoutHooks));
	}

	@Override
	public void close() {
		this.applications.values().forEach(ConfigurableApplicationContext::close);
	}

}
