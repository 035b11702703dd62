/**
 * The store over JDBC: one class with all SQL, a dialect for each database, and the
 * schema's migrations.
 */
@NullMarked
package io.github.idem.jdbc;

import org.jspecify.annotations.NullMarked;
