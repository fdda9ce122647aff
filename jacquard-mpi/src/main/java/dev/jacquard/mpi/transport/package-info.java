/**
 * Messages of ranks as messages of MPI.
 *
 * <pre>
 *  send ──▶ Sends: head and content, tag 0 ··▶ Arrivals ──▶ Endpoint.deliver ──▶ WholePayload
 *     │      head alone, tag 0 ··············▶ Arrivals ──▶ Endpoint.deliver ──▶ PiecesPayload ──┐
 *     └──▶ Transfer: pieces, tag 1 and more ·················▶ Transfer, when it is received ◀──┘
 *
 *  Progress: one thread at a time polls Calls, Arrivals, Sends and Transfers; Patience: when it yields and naps
 * </pre>
 *
 * <p>Imports: {@code base.clock}, {@code base.concurrent}, {@code cluster.communicator}, {@code cluster.message},
 * {@code mpi.library}.
 */
@NullMarked
package dev.jacquard.mpi.transport;

import org.jspecify.annotations.NullMarked;
