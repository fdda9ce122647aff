/**
 * Data structures that several threads share.
 *
 * <p>Imports: nothing of ours.
 */
@NullMarked
package dev.jacquard.base.concurrent;

import org.jspecify.annotations.NullMarked;
