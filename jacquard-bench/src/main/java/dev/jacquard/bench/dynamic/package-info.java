/**
 * Tasks inserted one by one: what a task costs from its submission to its end, when its body is next to nothing.
 *
 * <pre>
 *  Shape (who writes what, after whom) ──┬─▶ JacquardTasks           infers the edges from accesses
 *                                        ├─▶ OpenMP, StarPU          likewise, in processes of their own
 *                                        ├─▶ ForkJoinTasks           hand-written counters, edges given
 *                                        ├─▶ CompletableFutureTasks  edges given
 *                                        └─▶ SequentialTasks         the floor
 * </pre>
 *
 * <p>Imports: {@code base.clock}, {@code bench.rivals}, {@code bench.shape}, {@code bench.workload},
 * {@code core.graph}, {@code core.session}, {@code memory.access}, {@code memory.data}.
 */
@NullMarked
package dev.jacquard.bench.dynamic;

import org.jspecify.annotations.NullMarked;
