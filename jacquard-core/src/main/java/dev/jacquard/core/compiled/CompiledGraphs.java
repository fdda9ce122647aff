package dev.jacquard.core.compiled;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The compiled graphs of a session, which wait for those with a run in flight when they end. A graph may go while the
 * session stays: a run that is in flight or waits is reachable from the engine's queues, from what runs, from a device,
 * or from the task that stands for it, and its graph is reachable from there.
 *
 * <p>Threads: any; guarded by the monitor of this object, which may be taken under that of a graph's turns.
 */
public final class CompiledGraphs {
    private static final int SWEEP = 64;

    private final List<WeakReference<CompiledGraph>> graphs = new ArrayList<>();
    /** The graphs with a failure that no thread has been told of. */
    private final Set<CompiledGraph> unreported = new LinkedHashSet<>(); // graphs have no equality but identity
    /** At how many to look for those that are gone. */
    private int sweepAt = SWEEP;

    private boolean closed;

    /** The graphs of a session without any. */
    public CompiledGraphs() {}

    /**
     * Knows {@code graph} from now on, as long as that is reachable otherwise.
     *
     * @throws IllegalStateException when the session is closed
     */
    synchronized void add(CompiledGraph graph) {
        if (closed) {
            throw new IllegalStateException("graph \"" + graph.name() + "\" was compiled after its session was closed");
        }
        if (graphs.size() >= sweepAt) {
            graphs.removeIf(known -> known.refersTo(null));
            sweepAt = Math.max(SWEEP, 2 * graphs.size());
        }
        graphs.add(new WeakReference<>(graph));
    }

    /** Keeps {@code graph}, which has something to report. */
    synchronized void remember(CompiledGraph graph) {
        unreported.add(graph);
    }

    /** Lets go of {@code graph}, which is about to report what it has. */
    synchronized void forget(CompiledGraph graph) {
        unreported.remove(graph);
    }

    /**
     * Closes the session's list: from now on no graph is added.
     *
     * @return the graphs that may have runs to wait for, or failures to report, in the order of their making
     */
    public synchronized List<CompiledGraph> close() {
        closed = true;
        List<CompiledGraph> all = new ArrayList<>();
        for (WeakReference<CompiledGraph> known : graphs) {
            CompiledGraph graph = known.get();
            if (graph != null) {
                all.add(graph);
            }
        }
        return all;
    }
}
