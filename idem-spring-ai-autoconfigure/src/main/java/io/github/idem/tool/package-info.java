/**
 * Where Spring AI is met: the advisor that names the task, the manager decorator and the
 * callback wrapper.
 */
@NullMarked
package io.github.idem.tool;

import org.jspecify.annotations.NullMarked;
