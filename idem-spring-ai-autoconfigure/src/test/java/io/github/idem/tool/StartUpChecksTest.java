package io.github.idem.tool;

import io.github.idem.Downstream;
import io.github.idem.EffectBoundary;
import io.github.idem.Idempotent;
import io.github.idem.IdempotencyException;
import io.github.idem.Operation;
import io.github.idem.Outcome;
import io.github.idem.OutcomeProbe;
import io.github.idem.autoconfigure.IdemEngineAutoConfiguration;
import io.github.idem.autoconfigure.IdemHttpAutoConfiguration;
import io.github.idem.autoconfigure.IdemObserveAutoConfiguration;
import io.github.idem.autoconfigure.IdemStoreAutoConfiguration;
import io.github.idem.autoconfigure.IdemToolAutoConfiguration;
import io.github.idem.autoconfigure.IdemTransactionAutoConfiguration;
import io.github.idem.observe.EngineMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;

/** What was written about a tool's effect and makes no sense stops the application. */
class StartUpChecksTest {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class, RestClientAutoConfiguration.class,
				IdemStoreAutoConfiguration.class, IdemEngineAutoConfiguration.class, IdemToolAutoConfiguration.class,
				IdemHttpAutoConfiguration.class, IdemObserveAutoConfiguration.class,
				IdemTransactionAutoConfiguration.class))
		.withPropertyValues("spring.datasource.generate-unique-name=true", "idem.store.volatile=allow");

	@Test
	void aProbeThatDoesNotExistIsNamedWithBeanMethodAndRemedy() {
		fails(NamesNobody.class, "bean 'namesNobody'", "NamesNobody.pay", "'nobody'", "define the bean");
	}

	@Test
	void aQueryableToolNeedsAProbe() {
		fails(Queryable.class, "bean 'queryable'", "Queryable.pay", "QUERYABLE", "OutcomeProbe");
	}

	@Test
	void twoProbesOfOneToolHaveToBeToldApart() {
		fails(TwoProbes.class, "several OutcomeProbe beans", "one", "other");
	}

	@Test
	void anOpaqueToolWithAProbeIsAContradiction() {
		fails(OpaqueWithProbe.class, "OPAQUE", "never be asked");
	}

	@Test
	void anEffectOverHttpNeedsClientsThatReport() {
		this.runner.withClassLoader(new FilteredClassLoader(RestClientCustomizer.class, WebClientCustomizer.class))
			.withUserConfiguration(OverHttp.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(IdempotencyException.class)
				.hasMessageContaining("effect = HTTP")
				.hasMessageContaining("spring-boot-starter-restclient"));
		this.runner.withUserConfiguration(OverHttp.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aTransactionalToolNeedsATransactionManagerOnTheDataSourceOfTheRecord() {
		fails(OnAnotherDataSource.class, "bean 'onAnotherDataSource'", "OnAnotherDataSource.pay", "data source");
		this.runner.withUserConfiguration(Transactional.class).run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void withoutWebClientsTheApplicationStarts() {
		this.runner.withClassLoader(new FilteredClassLoader("org.springframework.web"))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void whatIsSaidForAllToolsHoldsForThoseThatDoNotSay() {
		this.runner.withUserConfiguration(Plain.class)
			.withPropertyValues("idem.default.downstream=idempotent", "idem.default.effect=marked")
			.run((context) -> assertThat(
					context.getBean(ToolPolicies.class).find(Plain.class.getDeclaredMethod("pay", String.class)))
				.satisfies((policy) -> assertThat(policy.effect().downstream()).isEqualTo(Downstream.IDEMPOTENT))
				.satisfies((policy) -> assertThat(policy.effect().boundary()).isEqualTo(EffectBoundary.MARKED)));
	}

	@Test
	void anOutcomeThatCanNotBeWrittenIsCountedWhereThereAreMetrics() {
		this.runner.withBean(SimpleMeterRegistry.class)
			.run((context) -> assertThat(context).hasSingleBean(EngineMetrics.class));
		this.runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(EngineMetrics.class));
	}

	private void fails(Class<?> configuration, String... words) {
		this.runner.withUserConfiguration(configuration).run((context) -> {
			assertThat(context).hasFailed();
			for (String word : words) {
				assertThat(context.getStartupFailure()).hasStackTraceContaining(word);
			}
		});
	}

	private record Probe(String tool) implements OutcomeProbe {

		@Override
		public Outcome probe(Operation operation) {
			return new Outcome.Pending();
		}

	}

	@Configuration("namesNobody")
	static class NamesNobody {

		@Idempotent(probe = "nobody")
		@Tool(description = "Pays")
		String pay(String order) {
			return "paid";
		}

	}

	@Configuration("queryable")
	static class Queryable {

		@Idempotent(downstream = Downstream.QUERYABLE)
		@Tool(description = "Pays")
		String pay(String order) {
			return "paid";
		}

	}

	@Configuration
	static class TwoProbes {

		@Idempotent
		@Tool(description = "Pays")
		String pay(String order) {
			return "paid";
		}

		@Bean
		OutcomeProbe one() {
			return new Probe("pay");
		}

		@Bean
		OutcomeProbe other() {
			return new Probe("pay");
		}

	}

	@Configuration
	static class OpaqueWithProbe {

		@Idempotent(downstream = Downstream.OPAQUE, probe = "one")
		@Tool(description = "Pays")
		String pay(String order) {
			return "paid";
		}

		@Bean
		OutcomeProbe one() {
			return new Probe("pay");
		}

	}

	@Configuration
	static class OverHttp {

		@Idempotent(effect = EffectBoundary.HTTP)
		@Tool(description = "Pays")
		String pay(String order) {
			return "paid";
		}

	}

	@Configuration
	static class Plain {

		@Idempotent
		@Tool(description = "Pays")
		String pay(String order) {
			return "paid";
		}

	}

	@Configuration
	static class Transactional {

		@Idempotent(downstream = Downstream.TRANSACTIONAL)
		@Tool(description = "Pays")
		String pay(String order) {
			return "paid";
		}

	}

	@Configuration("onAnotherDataSource")
	static class OnAnotherDataSource {

		@Idempotent(downstream = Downstream.TRANSACTIONAL)
		@Tool(description = "Pays")
		String pay(String order) {
			return "paid";
		}

		@Bean
		PlatformTransactionManager manager() {
			return new DataSourceTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:another"));
		}

	}

}
