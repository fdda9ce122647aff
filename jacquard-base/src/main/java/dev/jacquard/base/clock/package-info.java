/**
 * Time: the one place where it comes from, so that tests and the simulator can bring their own.
 *
 * <p>Imports: nothing of ours.
 */
@NullMarked
package dev.jacquard.base.clock;

import org.jspecify.annotations.NullMarked;
