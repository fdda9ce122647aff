/**
 * Failures of several calls as one exception.
 *
 * <p>Imports: nothing of ours.
 */
@NullMarked
package dev.jacquard.base.failure;

import org.jspecify.annotations.NullMarked;
