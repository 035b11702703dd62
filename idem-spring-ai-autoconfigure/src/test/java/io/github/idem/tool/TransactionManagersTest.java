package io.github.idem.tool;

import java.util.Map;

import javax.sql.DataSource;

import io.github.idem.Downstream;
import io.github.idem.Idempotent;
import io.github.idem.IdempotentTools;
import io.github.idem.autoconfigure.IdemEngineAutoConfiguration;
import io.github.idem.autoconfigure.IdemStoreAutoConfiguration;
import io.github.idem.autoconfigure.IdemToolAutoConfiguration;
import io.github.idem.autoconfigure.IdemTransactionAutoConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.ai.chat.model.ToolContext;
import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;

/** Which transaction managers a TRANSACTIONAL tool can do with. */
class TransactionManagersTest {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(IdemStoreAutoConfiguration.class, IdemEngineAutoConfiguration.class,
				IdemToolAutoConfiguration.class, IdemTransactionAutoConfiguration.class))
		.withPropertyValues("idem.store.volatile=allow")
		.withBean("desk", Desk.class);

	@Test
	void withoutAnyItStopsTheApplicationByBeanMethodAndRemedy() {
		this.runner.withBean(DataSource.class, () -> memory("none"))
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("bean 'desk'")
				.hasMessageContaining("Desk.pay")
				.hasMessageContaining("PlatformTransactionManager")
				.hasMessageContaining("choose another downstream"));
	}

	@Test
	void soDoSeveralOfWhichNoneIsPrimary() {
		this.runner.withBean(DataSource.class, () -> memory("several"))
			.withUserConfiguration(Several.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("Desk.pay")
				.hasMessageContaining("PlatformTransactionManager"));
	}

	@Test
	void aPrimaryOneWillDo() {
		this.runner.withBean(DataSource.class, () -> memory("primary"))
			.withUserConfiguration(OnePrimary.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(call()).isEqualTo("\"paid\"");
			});
	}

	@Test
	void aDataSourceThatIsAwareOfTransactionsIsTheOneBehindIt() {
		this.runner.withBean(DataSource.class, () -> new TransactionAwareDataSourceProxy(memory("aware")))
			.withUserConfiguration(One.class)
			.run((context) -> assertThat(call()).isEqualTo("\"paid\""));
	}

	@Test
	void ownTransactionsAreReadCommittedWhateverTheDataSourceStartsWith() {
		this.runner
			.withBean(DataSource.class, () -> memory(
					"serializable;INIT=SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE"))
			.withUserConfiguration(One.class)
			.run((context) -> assertThat(call()).isEqualTo("\"paid\""));
	}

	private static String call() {
		return IdempotentTools.wrap(ToolCallbacks.from(new Desk()))[0].call("{\"order\":\"4711\"}",
				new ToolContext(Map.of("task_id", "t1")));
	}

	private static DataSource memory(String name) {
		String url = name.contains(";") ? name.replaceFirst(";", ";DB_CLOSE_DELAY=-1;") : name + ";DB_CLOSE_DELAY=-1";
		return new DriverManagerDataSource("jdbc:h2:mem:managers-" + url);
	}

	static class Desk {

		@Idempotent(downstream = Downstream.TRANSACTIONAL)
		@Tool(description = "Pays")
		String pay(String order) {
			return "paid";
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class One {

		@Bean
		PlatformTransactionManager manager(DataSource dataSource) {
			return new DataSourceTransactionManager(dataSource);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Several {

		@Bean
		PlatformTransactionManager manager(DataSource dataSource) {
			return new DataSourceTransactionManager(dataSource);
		}

		@Bean
		PlatformTransactionManager other() {
			return new DataSourceTransactionManager(memory("other"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OnePrimary {

		@Bean
		@Primary
		PlatformTransactionManager manager(DataSource dataSource) {
			return new DataSourceTransactionManager(dataSource);
		}

		@Bean
		PlatformTransactionManager other() {
			return new DataSourceTransactionManager(memory("another"));
		}

	}

}
