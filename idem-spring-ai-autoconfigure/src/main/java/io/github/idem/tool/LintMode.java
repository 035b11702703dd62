package io.github.idem.tool;

/** What to do about tools that look as if they change something and are not protected. */
public enum LintMode {

	/** Name them in the log. */
	WARN,

	/** Do not start. */
	FAIL,

	/** Say nothing about any tool. */
	OFF

}
