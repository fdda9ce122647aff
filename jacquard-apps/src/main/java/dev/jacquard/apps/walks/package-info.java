/**
 * Small components that use the engine in both ways: one submits tasks, one runs a flow graph.
 *
 * <pre>
 *  RandomWalks --values--> Histogram --> histogram.csv
 *   tasks on areas          blocks --> count (copies) --> sum
 *   of one array
 * </pre>
 *
 * <p>Imports: {@code components.component}, {@code components.program}, {@code core.graph}, {@code core.session},
 * {@code flow}, {@code memory.access}, {@code memory.data}.
 */
@NullMarked
package dev.jacquard.apps.walks;

import org.jspecify.annotations.NullMarked;
