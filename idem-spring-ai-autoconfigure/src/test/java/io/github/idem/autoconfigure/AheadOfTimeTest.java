package io.github.idem.autoconfigure;

import java.lang.reflect.Field;
import java.util.stream.Stream;

import io.github.idem.tool.ToolSettings;
import org.junit.jupiter.api.Test;

import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.ai.tool.augment.AugmentedToolCallback;
import org.springframework.ai.tool.function.FunctionToolCallback;
import org.springframework.ai.tool.method.MethodToolCallback;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** What the build does ahead of time, for native images and for faster starts. */
class AheadOfTimeTest {

	@Test
	void whatIsReadByReflectionIsRegistered() {
		RuntimeHints hints = process();
		Stream.of(field(MethodToolCallback.class, "toolMethod"), field(MethodToolCallback.class, "toolObject"),
				field(MethodToolCallback.class, "toolCallResultConverter"),
				field(FunctionToolCallback.class, "toolInputType"), field(FunctionToolCallback.class, "toolFunction"),
				field(FunctionToolCallback.class, "toolCallResultConverter"),
				field(AugmentedToolCallback.class, "delegate"))
			.forEach((field) -> assertThat(RuntimeHintsPredicates.reflection().onFieldAccess(field)).as("%s", field)
				.accepts(hints));
		assertThat(RuntimeHintsPredicates.reflection().onFieldAccess(field(MethodToolCallback.class, "toolMetadata")))
			.rejects(hints);
	}

	@Test
	void migrationsOfEveryDatabaseAreRegistered() {
		RuntimeHints hints = process();
		Stream.of("h2", "postgresql")
			.map((database) -> "io/github/idem/db/" + database + "/V1__operations.sql")
			.forEach((script) -> {
				assertThat(getClass().getClassLoader().getResource(script)).isNotNull();
				assertThat(RuntimeHintsPredicates.resource().forResource(script)).accepts(hints);
			});
		assertThat(RuntimeHintsPredicates.resource().forResource("io/github/idem/other.sql")).rejects(hints);
	}

	@Test
	void propertiesOfEveryDepthCanBeBound() {
		RuntimeHints hints = process();
		Stream
			.of(IdemProperties.class, IdemProperties.Schema.class, IdemProperties.TaskId.class,
					IdemProperties.Wait.class, IdemProperties.Recovery.class, IdemProperties.Store.class,
					ToolSettings.class)
			.forEach((type) -> assertThat(
					RuntimeHintsPredicates.reflection().onConstructorInvocation(type.getDeclaredConstructors()[0]))
				.as("%s", type)
				.accepts(hints));
	}

	/** As the build does it, up to the point where it would write files. */
	private static RuntimeHints process() {
		GenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get(AheadOfTimeTest.class)), new InMemoryGeneratedFiles());
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.register(Application.class);
			new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		}
		return generation.getRuntimeHints();
	}

	private static Field field(Class<?> type, String name) {
		Field field = ReflectionUtils.findField(type, name);
		assertThat(field).as("%s.%s", type, name).isNotNull();
		return field;
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ ToolCallingAutoConfiguration.class, DataSourceAutoConfiguration.class,
			IdemStoreAutoConfiguration.class, IdemEngineAutoConfiguration.class, IdemToolAutoConfiguration.class })
	static class Application {

	}

}
