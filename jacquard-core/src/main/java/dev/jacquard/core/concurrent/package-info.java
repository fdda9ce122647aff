/**
 * Data structures that several threads share.
 *
 * <p>Imports: nothing of ours.
 */
@NullMarked
package dev.jacquard.core.concurrent;

import org.jspecify.annotations.NullMarked;
