package io.github.idem.autoconfigure;

import javax.sql.DataSource;

import io.github.idem.IdempotencyException;
import io.github.idem.jdbc.JdbcOperationStore;
import io.github.idem.jdbc.JdbcTransactionalStore;
import io.github.idem.operation.OperationStore;
import io.github.idem.operation.TransactionalStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Tools whose effect is in idem's own database, where the application has a transaction
 * manager. Created when the first such tool is found.
 */
@AutoConfiguration(after = { IdemStoreAutoConfiguration.class, IdemEngineAutoConfiguration.class },
		afterName = { "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
				"org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration" })
@ConditionalOnProperty(name = "idem.enabled", havingValue = "true", matchIfMissing = true)
@ConditionalOnBean(OperationStore.class)
@ConditionalOnSingleCandidate(PlatformTransactionManager.class)
public final class IdemTransactionAutoConfiguration {

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	TransactionalStore idemTransactionalStore(OperationStore store, PlatformTransactionManager manager,
			IdemProperties properties, ConfigurableListableBeanFactory beanFactory,
			ObjectProvider<DataSource> dataSources) {
		if (!(store instanceof JdbcOperationStore jdbc)) {
			throw new IdempotencyException("A TRANSACTIONAL tool needs idem's own JDBC store, but the application has "
					+ store.getClass().getName() + ". Choose another downstream for the tool.");
		}
		return JdbcTransactionalStore.join(jdbc,
				IdemStoreAutoConfiguration.dataSource(properties, beanFactory, dataSources), manager,
				properties.waiting().timeout());
	}

}
