/**
 * What goes on when no caller is there: leases that ran out are put in doubt.
 */
@NullMarked
package io.github.idem.recovery;

import org.jspecify.annotations.NullMarked;
