package io.github.idem;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a side-effecting {@code @Tool} method: one logical call of it is one effect and
 * one record, whoever asks and however often.
 * <p>
 * Guaranteed: the record of an attempt is committed before the method is entered; within
 * a task, calls with equal arguments are answered from that record; an attempt that may
 * have changed something is never made again on a guess. Not guaranteed: exactly-once
 * without any help from downstream, and calls whose arguments the model changed.
 * <p>
 * Takes effect on tools that Spring AI runs through a {@code ToolCallingManager} bean. An
 * application with an annotated bean and no usable store does not start.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Idempotent {

	/**
	 * The business key: at most one call succeeds for each key over all tasks, agents and
	 * processes of the namespace. A SpEL expression over the tool's arguments,
	 * {@code #taskId} and {@code #toolContext}, such as {@code #orderId} or
	 * {@code #toolContext['tenant'] + ':' + #orderId}; no types, beans or constructors.
	 * An equal call of another task is given the first result, one with other arguments
	 * is refused, and a definite failure frees the key. A call for which it gives
	 * {@code null} or blank is refused.
	 * @return the expression; by default none
	 */
	String key() default "";

	/**
	 * What an equal call under another tool call id means.
	 * @return by default {@link Duplicates#COLLAPSE}
	 */
	Duplicates duplicates() default Duplicates.COLLAPSE;

	/**
	 * What downstream does for us when it is not known whether an attempt took effect.
	 * @return by default {@link Downstream#AUTO}: it is asked if an {@link OutcomeProbe}
	 * answers for this tool
	 */
	Downstream downstream() default Downstream.AUTO;

	/**
	 * Where in the method the effect can be made.
	 * @return by default {@link EffectBoundary#ANYWHERE}
	 */
	EffectBoundary effect() default EffectBoundary.ANYWHERE;

	/**
	 * Bean name of the {@link OutcomeProbe} to ask.
	 * @return by default empty: the one whose {@link OutcomeProbe#tool()} is this tool
	 */
	String probe() default "";

	/**
	 * Names of top-level arguments that do not make a call different, such as a memo the
	 * model words anew each time. They still reach the method.
	 * @return argument names; by default none
	 */
	String[] ignoring() default {};

	/**
	 * Exceptions by which this tool says that nothing happened and nothing will: the
	 * operation is then FAILED and may be called again, instead of in doubt. Subclasses
	 * count. {@link EffectNotAppliedException} always says so.
	 * @return exception classes; by default none
	 */
	Class<? extends Throwable>[] notAppliedFor() default {};

}
