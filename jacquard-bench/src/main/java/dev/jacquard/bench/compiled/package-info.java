/**
 * Graphs that are made once and run many times: what an empty task costs when nothing is left to infer.
 *
 * <pre>
 *  Shape (who comes after whom) ──┬─▶ ForkJoinGraph    hand-written: counters and successors
 *                                 ├─▶ oneTBB           a flow graph of continue_nodes, in a process of its own
 *                                 └─▶ SequentialTasks  the floor
 * </pre>
 *
 * <p>Imports: {@code bench.rivals}, {@code bench.shape}, {@code bench.workload}, {@code core.clock},
 * {@code core.compiled}, {@code core.data}, {@code core.graph}, {@code core.session}.
 */
@NullMarked
package dev.jacquard.bench.compiled;

import org.jspecify.annotations.NullMarked;
