/**
 * The world outside the application, played by WireMock: a model that follows a script
 * and a payment gateway that misbehaves on demand.
 */
@NullMarked
package io.github.idem.sample.standin;

import org.jspecify.annotations.NullMarked;
