/**
 * Properties and auto-configurations, and nothing else.
 */
@NullMarked
package io.github.idem.autoconfigure;

import org.jspecify.annotations.NullMarked;
