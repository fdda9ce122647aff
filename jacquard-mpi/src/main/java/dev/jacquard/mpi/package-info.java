/**
 * MPI as a service of {@code jacquard-cluster}: ranks that {@code mpirun} or {@code srun} has started.
 *
 * <pre>
 *  CommunicatorProvider.open ──▶ MpiProvider ──▶ MpiWorld: its thread, its end
 *                                                 ├──▶ library: finds, starts MPI
 *                                                 └──▶ transport: messages of ranks by messages of MPI
 * </pre>
 *
 * <p>Imports: {@code base.clock}, {@code base.concurrent}, {@code base.machine}, {@code cluster.communicator},
 * {@code cluster.message}, {@code mpi.library}, {@code mpi.transport}.
 */
@NullMarked
package dev.jacquard.mpi;

import org.jspecify.annotations.NullMarked;
