/**
 * What an operator watches.
 */
@NullMarked
package io.github.idem.observe;

import org.jspecify.annotations.NullMarked;
