/**
 * What tests of several packages need: real databases.
 */
@NullMarked
package io.github.idem.testing;

import org.jspecify.annotations.NullMarked;
