package io.github.idem.autoconfigure;

import io.github.idem.operation.IdempotentExecutor;
import io.github.idem.operation.OperationStore;
import io.github.idem.recovery.LeaseExpiry;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/**
 * The engine and what it does in the background, wherever there is a record.
 */
@AutoConfiguration(after = IdemStoreAutoConfiguration.class)
@ConditionalOnProperty(name = "idem.enabled", havingValue = "true", matchIfMissing = true)
@ConditionalOnBean(OperationStore.class)
public final class IdemEngineAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	IdempotentExecutor idempotentExecutor(OperationStore store, IdemProperties properties) {
		return new IdempotentExecutor(store,
				new IdempotentExecutor.Timing(properties.lease(), properties.maxRun(), properties.waiting().timeout()));
	}

	@Bean
	@ConditionalOnMissingBean
	LeaseExpiry idemLeaseExpiry(OperationStore store, IdemProperties properties) {
		return new LeaseExpiry(store, properties.recovery().interval());
	}

}
