/**
 * What a tool sends over HTTP during an attempt, and how each request ended.
 */
@NullMarked
package io.github.idem.http;

import org.jspecify.annotations.NullMarked;
