/**
 * Workloads of ranks inside one process and over MPI: the time of a message, many ranks, components over ranks.
 *
 * <p>Imports: {@code base.clock}, {@code bench.rival}, {@code bench.workload}, {@code cluster.communicator},
 * {@code cluster.local}.
 */
@NullMarked
package dev.jacquard.bench.ranks;

import org.jspecify.annotations.NullMarked;
