/** The programs of the documentation, as users would write them: what stands in a page under {@code docs} is compiled and run here. */
@NullMarked
package dev.jacquard.core.examples;

import org.jspecify.annotations.NullMarked;
