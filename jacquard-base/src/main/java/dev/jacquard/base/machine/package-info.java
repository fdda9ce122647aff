/**
 * The resources of the machine and the part that this process uses, from the operating system's own files.
 *
 * <p>Imports: nothing of ours.
 */
@NullMarked
package dev.jacquard.base.machine;

import org.jspecify.annotations.NullMarked;
