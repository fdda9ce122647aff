/**
 * Graphs to look at: a snapshot of a graph of tasks, and the parallelism that its shape allows.
 *
 * <pre>
 *  live graph, compiled graph, program file --> GraphSnapshot --> GraphAnalysis (critical path, speedup, width)
 * </pre>
 *
 * <p>Knows no task and no worker: the owner of a graph fills in a snapshot. To add a measure: a method of
 * {@link dev.jacquard.insight.analysis.GraphAnalysis}.
 *
 * <p>Imports: nothing of ours.
 */
@NullMarked
package dev.jacquard.insight.analysis;

import org.jspecify.annotations.NullMarked;
