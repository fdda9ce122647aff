/**
 * From accesses to edges: one tracker per resource that remembers the accesses that can still matter.
 *
 * <pre>
 *  submission --(access)--> AccessTracker --link(earlier, later)--> Dependents
 *                             |      |
 *  above and below: TrackerNode      + of many accesses: AccessIndex --> AccessLayer per kind --> AreaGrid
 *                                                                       |--> KeyedAccesses per class
 * </pre>
 *
 * <p>Generic over the tracked tasks, so that it lies below graphs.
 *
 * <p>Imports: {@code memory.access}, {@code memory.data}.
 */
@NullMarked
package dev.jacquard.memory.depend;

import org.jspecify.annotations.NullMarked;
