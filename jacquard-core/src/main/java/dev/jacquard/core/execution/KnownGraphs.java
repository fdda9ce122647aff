package dev.jacquard.core.execution;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The graphs of a session, which waits for their work and reports their failures when it ends. A graph may go while the
 * session stays: an unfinished task is reachable from the engine's queues, from a running task, from a device, or from
 * the event that it waits for, and its graph is reachable from there. A graph with an unreported failure is kept.
 *
 * <p>Threads: any; guarded by the monitor of this object.
 *
 * @param <G> graphs, which have no equality but identity
 */
public final class KnownGraphs<G> {
    private static final int SWEEP = 64;

    private final List<Reference<G>> graphs = new ArrayList<>();
    private final Set<G> unreported = new LinkedHashSet<>();
    /** The number of graphs at which to look for graphs that are gone. */
    private int sweepAt = SWEEP;

    private boolean closed;

    /** A graph that may go. */
    public static class Reference<G> extends WeakReference<G> {
        /** Refers to {@code graph}. */
        public Reference(G graph) {
            super(graph);
        }

        /** Releases objects that are of no use without the graph, which is gone. */
        protected void gone() {}

        private boolean isGone() {
            boolean gone = refersTo(null);
            if (gone) {
                gone();
            }
            return gone;
        }
    }

    /** Creates a list without graphs. */
    public KnownGraphs() {}

    /**
     * Knows a graph from now on.
     *
     * @param always true to add it though the list is closed
     * @return false if the list is closed
     */
    public synchronized boolean add(Reference<G> graph, boolean always) {
        if (closed && !always) {
            return false;
        }
        if (graphs.size() >= sweepAt) {
            graphs.removeIf(Reference::isGone);
            sweepAt = Math.max(SWEEP, 2 * graphs.size());
        }
        return graphs.add(graph);
    }

    /** Keeps {@code graph}, which has something to report. */
    public synchronized void remember(G graph) {
        unreported.add(graph);
    }

    /** Lets go of {@code graph}, which is about to report its failures. */
    public synchronized void forget(G graph) {
        unreported.remove(graph);
    }

    /** Returns the graphs that are not gone, in the order of their making. */
    public synchronized List<G> all() {
        List<G> all = new ArrayList<>();
        for (Reference<G> known : graphs) {
            G graph = known.get();
            if (graph != null) {
                all.add(graph);
            }
        }
        return all;
    }

    /** Returns true if {@code isOver} holds for all graphs; false also if there are more than {@code most}. */
    public synchronized boolean areAll(Predicate<? super G> isOver, int most) {
        boolean all = graphs.size() <= most;
        for (int i = 0;
                all && i < graphs.size();
                i++) { // without an iterator: a run of a compiled graph allocates none
            G graph = graphs.get(i).get();
            all = graph == null || isOver.test(graph);
        }
        return all;
    }

    /**
     * Adds no graph from now on, unless it is to be added always; returns the graphs that may have work to wait for, or
     * failures to report.
     */
    public synchronized List<G> close() {
        closed = true;
        Set<G> open = new LinkedHashSet<>(all());
        open.addAll(unreported);
        return List.copyOf(open);
    }
}
