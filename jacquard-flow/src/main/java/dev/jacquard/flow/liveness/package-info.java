/**
 * Proves, before a run, that a graph cannot stand still for want of buffers, or finds an order of events after which it
 * does.
 *
 * <pre>
 *  Network --> NetworkModel, Cargo (buffers on each edge) --> Bounds (counting) --> Search (ItemMachine) --> Proof
 * </pre>
 *
 * <p>Not exported. The rules for grants are those of {@code flow.runtime}, see its section on buffers; tests compare
 * the two on random graphs.
 *
 * <p>Imports: {@code flow.proof}, {@code flow.runtime}.
 */
@NullMarked
package dev.jacquard.flow.liveness;

import org.jspecify.annotations.NullMarked;
