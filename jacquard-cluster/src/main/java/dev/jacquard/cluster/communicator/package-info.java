/**
 * Communication between the ranks of a program: messages and collective operations.
 *
 * <pre>
 *  send(Elements) ──▶ Transport of the sender ──▶ Transport of the receiver ──▶ matching ──▶ receive(Elements)
 *                                                                     (source, tag, order)
 * </pre>
 *
 * <p>Imports: {@code base.codec}.
 */
@NullMarked
package dev.jacquard.cluster.communicator;

import org.jspecify.annotations.NullMarked;
