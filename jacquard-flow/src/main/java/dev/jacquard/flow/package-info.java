/**
 * Flow graphs: long-lived typed tasks joined by queues through which items stream.
 *
 * <pre>
 *  FlowGraph.build(g -> ...) --> FlowGraph --check()--> problems, or none
 *                                    |
 *                                    +--start(session)--> FlowRun:  send --> tasks, bookkeepers --> results
 *                                                                          |  ^
 *                                                                  take    v  | release
 *                                                                       memory edges
 *
 *                                    +--prove(), dryRun(items)--> what pools are needed, before a run
 *
 *  inside:  Flattening (graphs in graphs, pipelines) --> Checker --> a plan (types erased) --> runtime.Run
 * </pre>
 *
 * <p>A task runs on the engine's workers (<em>shared</em>, the default: an activation works through a bounded batch and
 * never blocks) or on one thread per copy (<em>dedicated</em>, for bodies that block). An edge closes after its last
 * active producer; a graph ends when its input is finished and no item is left.
 *
 * <p>To extend: write a {@link dev.jacquard.flow.task.Body}, a {@link dev.jacquard.flow.task.Rule}, an
 * {@link dev.jacquard.flow.memory.MemoryEdge.Allocator} or a {@link dev.jacquard.flow.memory.ReleaseRule}; a new check
 * is a method of {@code Checker}.
 *
 * <p>Imports: {@code base.machine}, {@code base.text}, {@code core.graph}, {@code core.session}, {@code engine},
 * {@code flow.dry}, {@code flow.liveness}, {@code flow.memory}, {@code flow.pipeline}, {@code flow.proof},
 * {@code flow.report}, {@code flow.runtime}, {@code flow.task}, {@code memory.data}.
 */
@NullMarked
package dev.jacquard.flow;

import org.jspecify.annotations.NullMarked;
