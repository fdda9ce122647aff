/**
 * Ranks inside one process: threads that exchange messages through memory. The default, and for tests of programs that
 * run over MPI elsewhere: links with a latency and a bandwidth, messages in a drawn order, ranks that fail.
 *
 * <pre>
 *  LocalRanks.run ──▶ a thread for each rank, with its communicator
 *                       send ──▶ LocalTransport ──▶ (Delays or DrawnOrder) ──▶ Endpoint of the receiver
 *                       wait ──▶ World: does any rank still run? if not, a Deadlock
 * </pre>
 *
 * <p>Imports: {@code base.clock}, {@code base.concurrent}, {@code cluster.communicator}, {@code cluster.message}.
 */
@NullMarked
package dev.jacquard.cluster.local;

import org.jspecify.annotations.NullMarked;
