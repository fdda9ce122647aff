/**
 * Graphs cut into parts of equal weight, with few edges between the parts.
 *
 * <p>Imports: nothing of ours.
 */
@NullMarked
package dev.jacquard.cluster.partition;

import org.jspecify.annotations.NullMarked;
