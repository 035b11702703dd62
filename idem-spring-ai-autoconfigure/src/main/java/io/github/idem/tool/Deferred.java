package io.github.idem.tool;

import java.lang.reflect.ParameterizedType;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Results that are made later, by somebody else or not at all. Of one that is there
 * already nothing is known either: one rule for all of them.
 */
final class Deferred {

	private static final List<Class<?>> TYPES = Stream
		.concat(Stream.of(Publisher.class, Flow.Publisher.class, CompletionStage.class, Future.class, Callable.class,
				Supplier.class, BaseStream.class),
				Stream
					.of("org.springframework.web.context.request.async.DeferredResult",
							"org.springframework.web.context.request.async.WebAsyncTask", "kotlinx.coroutines.Deferred",
							"kotlinx.coroutines.flow.Flow")
					.map(Deferred::ifPresent)
					.filter(Objects::nonNull))
		.toList();

	private Deferred() {
	}

	/** Whether values of a type are made later. */
	static boolean is(Class<?> type) {
		return TYPES.stream().anyMatch((later) -> later.isAssignableFrom(type))
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
	}

	/**
	 * What is made later in a declared type: it itself, or what it holds.
	 * @return that class, or {@code null} if there is none, as far as it is declared
	 */
	static @Nullable Class<?> in(ResolvableType declared) {
		Class<?> type = declared.resolve();
		if (type == null || is(type)) {
			return type;
		}
		if (type.isArray()) {
			return in(declared.getComponentType());
		}
		return (declared.getType() instanceof ParameterizedType)
				? Stream.of(declared.getGenerics()).map(Deferred::in).filter(Objects::nonNull).findFirst().orElse(null)
				: null;
	}

	private static @Nullable Class<?> ifPresent(String name) {
		try {
			return ClassUtils.forName(name, Deferred.class.getClassLoader());
		}
		catch (ClassNotFoundException | LinkageError ex) {
			return null;
		}
	}

}
