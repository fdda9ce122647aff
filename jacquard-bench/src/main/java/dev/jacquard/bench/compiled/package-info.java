/**
 * Graphs that are made once and run many times: what an empty task costs when nothing is left to infer.
 *
 * <pre>
 *  Shape (who comes after whom) ──┬─▶ ForkJoinGraph    hand-written: counters and successors
 *                                 ├─▶ oneTBB           a flow graph of continue_nodes, in a process of its own
 *                                 └─▶ SequentialTasks  the floor
 * </pre>
 *
 * <p>Imports: {@code base.clock}, {@code bench.rivals}, {@code bench.shape}, {@code bench.workload},
 * {@code core.compiled}, {@code core.graph}, {@code core.session}, {@code memory.data}.
 */
@NullMarked
package dev.jacquard.bench.compiled;

import org.jspecify.annotations.NullMarked;
