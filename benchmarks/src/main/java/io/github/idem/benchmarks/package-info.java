/**
 * What idem costs, measured with JMH.
 */
@NullMarked
package io.github.idem.benchmarks;

import org.jspecify.annotations.NullMarked;
