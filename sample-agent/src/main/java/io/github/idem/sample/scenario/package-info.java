/**
 * What goes wrong with tool calls, each case run without and with idem.
 */
@NullMarked
package io.github.idem.sample.scenario;

import org.jspecify.annotations.NullMarked;
