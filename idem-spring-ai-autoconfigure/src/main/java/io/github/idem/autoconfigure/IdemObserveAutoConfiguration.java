package io.github.idem.autoconfigure;

import io.github.idem.observe.EngineMetrics;
import io.github.idem.operation.EngineHooks;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/**
 * Metrics, where the application has a registry for them.
 */
@AutoConfiguration(before = IdemEngineAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnProperty(name = "idem.enabled", havingValue = "true", matchIfMissing = true)
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
public final class IdemObserveAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(EngineHooks.Events.class)
	EngineMetrics idemEngineMetrics(MeterRegistry registry) {
		return new EngineMetrics(registry);
	}

}
