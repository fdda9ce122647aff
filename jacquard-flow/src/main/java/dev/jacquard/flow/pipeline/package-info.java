/**
 * Pipelines: copies of a graph that share the items, one copy per device.
 *
 * <pre>
 *                            +--> copy 0 of the graph, on device 0 --+
 *  items --> Distribution ---+              | ^  Siblings            +--> results
 *              ^             +--> copy 1 of the graph, on device 1 --+
 *              +-- Distribution.Loads
 * </pre>
 *
 * <p>The graph builder makes pipelines and edges between siblings. To add a way of distribution, implement
 * {@link Distribution}.
 *
 * <p>Imports: none.
 */
@NullMarked
package dev.jacquard.flow.pipeline;

import org.jspecify.annotations.NullMarked;
