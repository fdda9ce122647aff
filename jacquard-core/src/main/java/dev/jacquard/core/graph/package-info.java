/**
 * Nodes, tasks and the graphs they form. A node is what a worker runs; a task is a node with declared accesses.
 *
 * <pre>
 *  TaskGraph.task(...) --> Task --(trackers of its resources)--> links from earlier tasks
 *  worker runs Task --> Task completes --> links fire --> counter 0 --> WorkerContext.ready(next)
 * </pre>
 *
 * <p>Knows no worker and no queue: what is ready goes to a {@link dev.jacquard.core.graph.WorkerContext}.
 *
 * <p>Imports: {@code core.access}, {@code core.analysis}, {@code core.clock}, {@code core.concurrent},
 * {@code core.data}, {@code core.depend}, {@code core.device}, {@code core.device.emulated}, {@code core.machine},
 * {@code core.trace}.
 */
@NullMarked
package dev.jacquard.core.graph;

import org.jspecify.annotations.NullMarked;
