package dev.jacquard.apps.replay;

import dev.jacquard.base.trace.Trace;
import dev.jacquard.insight.analysis.GraphSnapshot;
import java.util.Optional;

/**
 * A run of a program that is over.
 *
 * @param result what it came to
 * @param trace what the workers did; empty when none was asked for
 * @param graph the tasks and edges as the engine had them; empty unless it was to be kept
 */
public record ReplayRun(ReplayResult result, Trace trace, Optional<GraphSnapshot> graph) {}
