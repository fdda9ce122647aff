/**
 * The questions of graphs to memory: data is to be where tasks run, before they run.
 *
 * <pre>
 *  a task is submitted --> Staging.plan --> PlannedAccess    the data to be written and read
 *  it is about to run ---> Staging.claim --> DataClaim        brought, pinned, launched on a device
 *  it is over -----------> DataClaim.release, PlannedAccess.over    its output is the newest
 *  a device is lost -----> Recomputation                     how to do the task again
 * </pre>
 *
 * <p>Implemented by {@code memory.coherence}, which graphs do not know; a
 * {@link dev.jacquard.memory.residency.Recomputation} by graphs.
 *
 * <p>Imports: {@code base.concurrent}, {@code base.machine}, {@code memory.access}, {@code memory.data},
 * {@code memory.device}.
 */
@NullMarked
package dev.jacquard.memory.residency;

import org.jspecify.annotations.NullMarked;
