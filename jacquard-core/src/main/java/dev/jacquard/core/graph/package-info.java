/**
 * Tasks and the graphs that they form. A task is a node, which a worker runs, with declared accesses.
 *
 * <pre>
 *  TaskGraph.task(...) --> Task --(trackers of its resources)--> links from earlier tasks
 *  worker runs Task --> Task completes --> links fire --> counter 0 --> WorkerContext.ready(next)
 * </pre>
 *
 * <p>The package knows no worker and no queue: ready tasks go to a {@link dev.jacquard.engine.work.WorkerContext}.
 *
 * <p>Imports: {@code base.clock}, {@code base.concurrent}, {@code base.failure}, {@code base.machine},
 * {@code base.text}, {@code base.trace}, {@code core.execution}, {@code core.kernel}, {@code engine.work},
 * {@code insight.analysis}, {@code memory.access}, {@code memory.data}, {@code memory.depend}, {@code memory.device},
 * {@code memory.residency}.
 */
@NullMarked
package dev.jacquard.core.graph;

import org.jspecify.annotations.NullMarked;
