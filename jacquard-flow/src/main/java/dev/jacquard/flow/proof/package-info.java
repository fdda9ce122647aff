/**
 * The results of the analysis of a graph before its run: see {@code FlowGraph.prove} and {@code FlowGraph.dryRun}.
 *
 * <p>Imports: nothing of ours.
 */
@NullMarked
package dev.jacquard.flow.proof;

import org.jspecify.annotations.NullMarked;
