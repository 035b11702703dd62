package io.github.idem.autoconfigure;

import java.time.Duration;

import io.github.idem.FailureClassifier;
import io.github.idem.OperationResolver;
import io.github.idem.ResultClassifier;
import io.github.idem.jdbc.AmbientTransaction;
import io.github.idem.operation.EngineHooks;
import io.github.idem.operation.EngineSettings;
import io.github.idem.operation.IdempotentExecutor;
import io.github.idem.operation.OperationStore;
import io.github.idem.operation.ToolRegistry;
import io.github.idem.operation.TransactionalStore;
import io.github.idem.operation.UnattributedRequests;
import io.github.idem.recovery.BackgroundJobs;
import io.github.idem.recovery.DoubtRecovery;
import io.github.idem.recovery.ExponentialPauses;
import io.github.idem.recovery.LeaseExpiry;
import io.github.idem.recovery.Shutdown;
import io.github.idem.recovery.StoreOperationResolver;

import org.springframework.beans.factory.ObjectProvider;
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

	private static final Duration RECORDING_PATIENCE = Duration.ofSeconds(30);

	private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

	@Bean
	@ConditionalOnMissingBean
	IdempotentExecutor idempotentExecutor(OperationStore store, IdemProperties properties,
			ObjectProvider<FailureClassifier> failures, ObjectProvider<ResultClassifier> results,
			ObjectProvider<UnattributedRequests> unattributed, ObjectProvider<TransactionalStore> transactional,
			ObjectProvider<EngineHooks.Events> events) {
		return new IdempotentExecutor(store, settings(properties),
				new EngineHooks(failures.orderedStream().toList(), results.orderedStream().toList(),
						unattributed.getIfAvailable(UnattributedRequests::new), new AmbientTransaction(),
						transactional::getObject, events.getIfAvailable(() -> (operation) -> {
						})));
	}

	private static EngineSettings settings(IdemProperties properties) {
		IdemProperties.Retry retry = properties.retry();
		IdemProperties.Probe probe = properties.probe();
		return new EngineSettings(
				new IdempotentExecutor.Timing(properties.lease(), properties.maxRun(), properties.waiting().timeout()),
				new EngineSettings.Tries(retry.maxAttempts(),
						new ExponentialPauses(retry.initialDelay(), retry.multiplier(), retry.jitter(), LONGEST_PAUSE)),
				new EngineSettings.Tries(probe.maxAttempts(),
						new ExponentialPauses(probe.delay(), retry.multiplier(), retry.jitter(), LONGEST_PAUSE)),
				probe.timeout(), properties.downstreamWindow(), RECORDING_PATIENCE);
	}

	@Bean
	@ConditionalOnMissingBean
	LeaseExpiry idemLeaseExpiry(OperationStore store) {
		return new LeaseExpiry(store);
	}

	@Bean
	@ConditionalOnMissingBean
	DoubtRecovery idemDoubtRecovery(OperationStore store, ObjectProvider<ToolRegistry> tools,
			IdempotentExecutor executor, IdemProperties properties) {
		Duration interval = properties.recovery().interval();
		Duration putOff = interval.plus(properties.probe().timeout().multipliedBy(2));
		return new DoubtRecovery(store, tools.getIfAvailable(() -> (tool) -> ToolRegistry.KnownEffect.ofProbe(null)),
				executor.prober(), new DoubtRecovery.Limits(interval, properties.probe().settle(),
						properties.downstreamWindow(), properties.retry().maxAttempts(), putOff));
	}

	@Bean
	@ConditionalOnMissingBean
	BackgroundJobs idemBackgroundJobs(LeaseExpiry leases, DoubtRecovery doubts, IdemProperties properties) {
		return new BackgroundJobs(leases, doubts, properties.recovery().interval());
	}

	@Bean
	@ConditionalOnMissingBean
	OperationResolver idemOperationResolver(OperationStore store) {
		return new StoreOperationResolver(store);
	}

	@Bean
	Shutdown idemShutdown(IdempotentExecutor executor) {
		return new Shutdown(executor);
	}

}
