package io.github.idem.autoconfigure;

import java.util.List;

import javax.sql.DataSource;

import io.github.idem.IdempotencyException;
import io.github.idem.operation.OperationStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.ai.model.tool.autoconfigure.ToolCallingAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * idem's migrations and the application's live in one database and know nothing of each
 * other. On a database that the subclass names.
 */
abstract class MigrationsSideBySideTest {

	private static final String IDEM = "idem_schema_history";

	private static final String APPLICATION = "flyway_schema_history";

	private String url = "";

	/** A new, empty database. */
	abstract String newDatabase();

	@BeforeEach
	void createDatabase() {
		this.url = newDatabase();
	}

	private ApplicationContextRunner application() {
		return withoutMigrations().withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
			.withPropertyValues("spring.flyway.locations=classpath:db/application");
	}

	private ApplicationContextRunner withoutMigrations() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					JdbcTemplateAutoConfiguration.class, JdbcClientAutoConfiguration.class,
					ToolCallingAutoConfiguration.class, IdemStoreAutoConfiguration.class,
					IdemEngineAutoConfiguration.class, IdemToolAutoConfiguration.class))
			.withPropertyValues("spring.datasource.url=" + this.url);
	}

	@Test
	void aFreshDatabaseGetsBothHistoriesAndASecondStartChangesNothing() {
		application().run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(history(context, APPLICATION)).containsExactly("1", "2");
			assertThat(history(context, IDEM)).containsSubsequence("1");
		});
		application().run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(history(context, APPLICATION)).containsExactly("1", "2");
			assertThat(history(context, IDEM)).containsOnlyOnce("1");
		});
	}

	@Test
	void anExistingDatabaseWithTheApplicationsTablesGetsOurs() {
		application().withPropertyValues("idem.enabled=false", "spring.flyway.target=1")
			.run((context) -> assertThat(history(context, APPLICATION)).containsExactly("1"));
		application().run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(history(context, APPLICATION)).containsExactly("1", "2");
			assertThat(history(context, IDEM)).containsOnlyOnce("1");
		});
	}

	@Test
	void anApplicationWithoutMigrationsGetsOnlyOurs() {
		withoutMigrations().run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(history(context, IDEM)).containsOnlyOnce("1");
			assertThat(tableExists(context, APPLICATION)).isFalse();
		});
	}

	@Test
	void anExistingDatabaseWithTablesThatNobodyMigratesGetsOurs() {
		JdbcClient.create(new DriverManagerDataSource(this.url)).sql("CREATE TABLE legacy (id INT)").update();
		withoutMigrations().run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(history(context, IDEM)).containsOnlyOnce("1");
		});
	}

	@Test
	void noFlywayBeanOfOursIsToBeSeen() {
		withoutMigrations().run((context) -> assertThat(context).doesNotHaveBean(org.flywaydb.core.Flyway.class));
	}

	@Test
	void migrationsOfTheApplicationThatAreAddedLaterNeedASchemaOfOurOwnFromTheStart() {
		withoutMigrations().withPropertyValues("idem.schema.name=idem").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(OperationStore.class).find("none")).isEmpty();
		});
		application().withPropertyValues("idem.schema.name=idem").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(history(context, APPLICATION)).containsExactly("1", "2");
			assertThat(context.getBean(OperationStore.class).find("none")).isEmpty();
		});
	}

	@Test
	void theTablesCanBeValidatedInsteadOfMigrated() {
		withoutMigrations().run((context) -> assertThat(context).hasNotFailed());
		withoutMigrations().withPropertyValues("idem.schema.mode=validate")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void ofTwoDataSourcesThePrimaryOneHoldsTheRecord() {
		twoDataSources(PrimaryAndOther.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(tableExists(context.getBean("primary", DataSource.class), IDEM)).isTrue();
			assertThat(tableExists(context.getBean("other", DataSource.class), IDEM)).isFalse();
		});
	}

	@Test
	void ofTwoDataSourcesTheNamedOneHoldsTheRecord() {
		twoDataSources(PrimaryAndOther.class).withPropertyValues("idem.data-source=other").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(tableExists(context.getBean("primary", DataSource.class), IDEM)).isFalse();
			assertThat(tableExists(context.getBean("other", DataSource.class), IDEM)).isTrue();
		});
	}

	@Test
	void twoDataSourcesOfWhichNoneIsPrimaryFailTheStartAndAreNamed() {
		twoDataSources(OneAndOther.class).run((context) -> assertThat(context).getFailure()
			.rootCause()
			.isInstanceOf(IdempotencyException.class)
			.hasMessageContaining("[one, other]")
			.hasMessageContaining("idem.data-source"));
	}

	@Test
	void aDataSourceThatIsNotThereFailsTheStartAndTheOthersAreNamed() {
		twoDataSources(PrimaryAndOther.class).withPropertyValues("idem.data-source=missing")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining(
						"idem.data-source names 'missing', but the DataSource beans are [primary, other]"));
	}

	private ApplicationContextRunner twoDataSources(Class<?> dataSources) {
		return new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(DataSourceAutoConfiguration.class, ToolCallingAutoConfiguration.class,
							IdemStoreAutoConfiguration.class, IdemToolAutoConfiguration.class))
			.withUserConfiguration(dataSources)
			.withPropertyValues("url.one=" + this.url, "url.other=" + newDatabase());
	}

	private static List<String> history(ApplicationContext context, String table) {
		return context.getBean(JdbcClient.class)
			.sql("SELECT \"version\" FROM \"%s\" WHERE \"type\" = 'SQL' ORDER BY \"installed_rank\"".formatted(table))
			.query(String.class)
			.list();
	}

	private static boolean tableExists(ApplicationContext context, String table) {
		return tableExists(context.getBean(DataSource.class), table);
	}

	private static boolean tableExists(DataSource dataSource, String table) {
		return JdbcClient.create(dataSource)
			.sql("SELECT count(*) FROM information_schema.tables WHERE lower(table_name) = ?")
			.param(table)
			.query(Long.class)
			.single() > 0;
	}

	@Configuration(proxyBeanMethods = false)
	static class PrimaryAndOther {

		@Bean
		@Primary
		DataSource primary(Environment environment) {
			return new DriverManagerDataSource(environment.getRequiredProperty("url.one"));
		}

		@Bean
		DataSource other(Environment environment) {
			return new DriverManagerDataSource(environment.getRequiredProperty("url.other"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OneAndOther {

		@Bean
		DataSource one(Environment environment) {
			return new DriverManagerDataSource(environment.getRequiredProperty("url.one"));
		}

		@Bean
		DataSource other(Environment environment) {
			return new DriverManagerDataSource(environment.getRequiredProperty("url.other"));
		}

	}

}
