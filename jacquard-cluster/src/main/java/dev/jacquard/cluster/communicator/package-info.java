/**
 * The communicator: messages and collective operations between the ranks of a program. The same code runs on ranks
 * inside one process, and on processes that MPI has started.
 *
 * <pre>
 *  Elements, or a value with its Codec ──▶ send(to, tag)  ···▶  receive(from, tag) ──▶ Elements, or the value
 *                                                     a Request while it is under way, a Status at its end
 * </pre>
 *
 * <p>Source: seed of the component front, section 5.3.5, and the names of the MPI standard.
 *
 * <p>Imports: {@code base.codec}, {@code base.service}.
 */
@NullMarked
package dev.jacquard.cluster.communicator;

import org.jspecify.annotations.NullMarked;
