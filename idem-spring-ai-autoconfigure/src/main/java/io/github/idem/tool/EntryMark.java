package io.github.idem.tool;

import java.util.concurrent.atomic.AtomicLong;

import io.github.idem.operation.RunningCall;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.Advised;

/**
 * Stands behind all other advice of a bean with protected tools, directly before its own
 * methods, and says when one of them is entered. Only that tells a proxy that refused a
 * call from one that failed after the method had returned.
 */
final class EntryMark {

	private EntryMark() {
	}

	/**
	 * Put a mark on a bean, before anybody uses it; an object without proxies, or with
	 * one that can't be changed, stays as it is.
	 */
	static void put(@Nullable Object bean) {
		if (bean instanceof Advised advised && !advised.isFrozen() && of(bean) == null) {
			advised.addAdvice(new Mark());
		}
	}

	/**
	 * The mark of an object.
	 * @return it; {@code null} if there is none, or something else stands behind it
	 */
	static @Nullable Mark of(Object object) {
		if (!(object instanceof Advised advised) || target(advised) instanceof Advised) {
			return null;
		}
		int last = advised.getAdvisorCount() - 1;
		return (last >= 0 && advised.getAdvisors()[last].getAdvice() instanceof Mark mark) ? mark : null;
	}

	private static @Nullable Object target(Advised advised) {
		try {
			return advised.getTargetSource().isStatic() ? advised.getTargetSource().getTarget() : advised;
		}
		catch (Exception ex) {
			return advised;
		}
	}

	/** The mark itself. */
	static final class Mark implements MethodInterceptor {

		private final AtomicLong strangers = new AtomicLong();

		@Override
		public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
			RunningCall.ofThisThread().ifPresentOrElse(RunningCall::toolEntered, this.strangers::incrementAndGet);
			return invocation.proceed();
		}

		/** How often a method was entered on a thread that is inside no attempt. */
		long strangers() {
			return this.strangers.get();
		}

	}

}
