/**
 * The engine: what a claim can come to, the contract of the store, and the straight line
 * one call takes.
 */
@NullMarked
package io.github.idem.operation;

import org.jspecify.annotations.NullMarked;
