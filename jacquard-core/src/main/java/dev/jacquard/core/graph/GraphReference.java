package dev.jacquard.core.graph;

import dev.jacquard.engine.work.Timer;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * A graph as its domain knows it: it may go while the domain stays. Then the timers of its deadlines go too.
 *
 * <p>Threads: any; the timers are guarded by the monitor of this object.
 */
final class GraphReference extends WeakReference<TaskGraph> {
    private final List<Timer> deadlines = new ArrayList<>(0);

    GraphReference(TaskGraph graph) {
        super(graph);
    }

    /** Adds a timer, which is of no use without the graph. */
    synchronized void add(Timer deadline) {
        deadlines.add(deadline);
    }

    /** True if the graph is gone. Cancels its timers when it is. */
    synchronized boolean isGone() {
        boolean gone = refersTo(null);
        if (gone) {
            deadlines.forEach(Timer::cancel);
            deadlines.clear();
        }
        return gone;
    }
}
