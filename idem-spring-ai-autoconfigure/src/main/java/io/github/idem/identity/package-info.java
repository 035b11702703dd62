/**
 * What makes two calls the same: strict reading of arguments, their canonical form and
 * fingerprint, and the request id.
 */
@NullMarked
package io.github.idem.identity;

import org.jspecify.annotations.NullMarked;
