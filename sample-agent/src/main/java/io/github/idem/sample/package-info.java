/**
 * A coffee-buying agent, written the way an application would be: its tools, its orders,
 * its payment client.
 */
@NullMarked
package io.github.idem.sample;

import org.jspecify.annotations.NullMarked;
