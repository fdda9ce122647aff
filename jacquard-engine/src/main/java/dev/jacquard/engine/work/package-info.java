/**
 * Work as workers see it: nodes, which know their successors, and the context of a running node.
 *
 * <pre>
 *  a graph --ready(node)--> Dispatcher (the engine) --> a worker: Node.run(WorkerContext)
 *                                                                    |
 *                                            successors --readyAtEnd-+
 * </pre>
 *
 * <p>Knows no worker and no queue. A graph implements {@link dev.jacquard.engine.work.Node} and
 * {@link dev.jacquard.engine.work.Wait}; the engine implements the rest.
 *
 * <p>Imports: {@code base.clock}, {@code base.concurrent}, {@code base.machine}, {@code base.trace},
 * {@code engine.model}.
 */
@NullMarked
package dev.jacquard.engine.work;

import org.jspecify.annotations.NullMarked;
