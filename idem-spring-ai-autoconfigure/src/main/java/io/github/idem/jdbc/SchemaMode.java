package io.github.idem.jdbc;

/** What is done about the store's tables at start-up. */
public enum SchemaMode {

	/** Create them, or bring them up to date. */
	MIGRATE,

	/** Refuse to start if they are missing or not up to date. Changes nothing. */
	VALIDATE,

	/** Nothing; somebody else sees to them. */
	NONE

}
