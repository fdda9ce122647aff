package dev.jacquard.core.graph;

import dev.jacquard.core.execution.KnownGraphs;
import dev.jacquard.engine.work.Timer;
import java.util.ArrayList;
import java.util.List;

/**
 * The domain's reference to a graph, which may go while the domain stays. Then the timers of its deadlines go too.
 *
 * <p>Threads: any; the timers are guarded by the monitor of this object.
 */
final class GraphReference extends KnownGraphs.Reference<TaskGraph> {
    private final List<Timer> deadlines = new ArrayList<>(0);

    GraphReference(TaskGraph graph) {
        super(graph);
    }

    /** Adds a timer, which is of no use without the graph. */
    synchronized void add(Timer deadline) {
        deadlines.add(deadline);
    }

    @Override
    protected synchronized void gone() {
        deadlines.forEach(Timer::cancel);
        deadlines.clear();
    }
}
