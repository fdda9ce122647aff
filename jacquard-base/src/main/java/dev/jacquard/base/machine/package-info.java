/**
 * What the machine has and what this process uses of it, from the operating system's own files.
 *
 * <p>Imports: nothing of ours.
 */
@NullMarked
package dev.jacquard.base.machine;

import org.jspecify.annotations.NullMarked;
