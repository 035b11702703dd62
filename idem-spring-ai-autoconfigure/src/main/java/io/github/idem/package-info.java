/**
 * What an application imports: the annotation, the call it runs in, the record that is
 * kept of it, and the exceptions.
 */
@NullMarked
package io.github.idem;

import org.jspecify.annotations.NullMarked;
