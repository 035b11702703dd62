package io.github.idem.autoconfigure;

import java.util.Arrays;
import java.util.List;

import javax.sql.DataSource;

import io.github.idem.IdempotencyStoreException;
import io.github.idem.jdbc.JdbcOperationStore;
import io.github.idem.jdbc.SchemaMigration;
import io.github.idem.operation.OperationStore;
import io.github.idem.tool.ToolBeans;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * The record: a JDBC store on the application's {@code DataSource}, with migrations of
 * its own, unless the application brings an {@link OperationStore}.
 */
@AutoConfiguration(after = DataSourceAutoConfiguration.class)
@ConditionalOnProperty(name = "idem.enabled", havingValue = "true", matchIfMissing = true)
@EnableConfigurationProperties(IdemProperties.class)
@ImportRuntimeHints(IdemStoreAutoConfiguration.Hints.class)
public final class IdemStoreAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(IdemStoreAutoConfiguration.class);

	/**
	 * Runs idem's migrations after the application's own, whatever tool makes those.
	 */
	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(DataSource.class)
	@DependsOnDatabaseInitialization
	OperationStore idemOperationStore(IdemProperties properties, ConfigurableListableBeanFactory beanFactory,
			ObjectProvider<DataSource> dataSources, Environment environment) {
		try {
			DataSource dataSource = dataSource(properties, beanFactory, dataSources);
			SchemaMigration.run(dataSource, properties.schema().name(), properties.schema().mode());
			JdbcOperationStore store = JdbcOperationStore.create(dataSource, namespace(properties, environment),
					properties.schema().name());
			reportVolatile(store, properties.store().onVolatile());
			reportNameless(store, properties, environment);
			return store;
		}
		catch (IdempotencyStoreException ex) {
			throw UnusableStoreException.of(new ToolBeans(beanFactory).idempotent(), ex);
		}
	}

	static DataSource dataSource(IdemProperties properties, ConfigurableListableBeanFactory beanFactory,
			ObjectProvider<DataSource> dataSources) {
		String name = properties.dataSource();
		if (StringUtils.hasText(name)) {
			try {
				return beanFactory.getBean(name, DataSource.class);
			}
			catch (NoSuchBeanDefinitionException ex) {
				throw new IdempotencyStoreException("idem.data-source names '%s', but the DataSource beans are %s"
					.formatted(name, names(beanFactory)), ex);
			}
		}
		DataSource only = dataSources.getIfUnique();
		if (only == null) {
			throw new IdempotencyStoreException(
					"there are several DataSource beans, %s, and none is primary: set idem.data-source to one of them"
						.formatted(names(beanFactory)));
		}
		return only;
	}

	private static List<String> names(ConfigurableListableBeanFactory beanFactory) {
		return Arrays.asList(beanFactory.getBeanNamesForType(DataSource.class));
	}

	private static String namespace(IdemProperties properties, Environment environment) {
		String namespace = properties.namespace();
		return StringUtils.hasText(namespace) ? namespace
				: environment.getProperty("spring.application.name", "application");
	}

	private static void reportNameless(JdbcOperationStore store, IdemProperties properties, Environment environment) {
		if (!store.isVolatile() && !StringUtils.hasText(properties.namespace())
				&& !environment.containsProperty("spring.application.name")) {
			logger.warn("Neither idem.namespace nor spring.application.name is set: idem keeps its record in namespace"
					+ " 'application', and another application without a name on this database would share it");
		}
	}

	private static void reportVolatile(JdbcOperationStore store, VolatileStore onVolatile) {
		if (onVolatile == VolatileStore.ALLOW || !store.isVolatile()) {
			return;
		}
		String sentence = "idem keeps its record in an in-memory database, which forgets every call when the"
				+ " process ends: after a restart, calls are made again. Set spring.datasource.url to a database"
				+ " on disk, or idem.store.volatile=allow if that is meant";
		if (onVolatile == VolatileStore.FAIL) {
			throw new IdempotencyStoreException(sentence);
		}
		logger.warn(sentence);
	}

	/** The migrations, which nothing refers to by class. */
	static final class Hints implements RuntimeHintsRegistrar {

		@Override
		public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
			hints.resources().registerPattern("io/github/idem/db/**");
		}

	}

}
