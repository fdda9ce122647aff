/**
 * The communicator over any transport: matching of messages and receives, collective operations, blocks of reductions.
 *
 * <pre>
 *  RankCommunicator ──▶ Collectives ──▶ RankCommunicator.send, receive
 *        │ send                               │ receive
 *        ▼                                    ▼
 *    Transport ····▶ Transport of another rank ──▶ Endpoint.deliver ──▶ Matching: receives and messages that wait
 * </pre>
 *
 * <p>A transport carries an {@link dev.jacquard.cluster.message.Envelope} with its content from rank to rank, in the
 * order of sending. All else is written once, here. To add a transport, implement
 * {@link dev.jacquard.cluster.message.Transport}.
 *
 * <p>Imports: {@code base.codec}, {@code base.concurrent}, {@code cluster.communicator}.
 */
@NullMarked
package dev.jacquard.cluster.message;

import org.jspecify.annotations.NullMarked;
