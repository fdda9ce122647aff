package dev.jacquard.core.graph;

import dev.jacquard.base.failure.Suppressed;
import dev.jacquard.core.graph.RunSnapshot.TaskView;
import dev.jacquard.engine.work.Node;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The runs that use a session's workers besides its graphs of tasks: runs of other fronts, from their start until they
 * are closed, and runs of compiled graphs.
 *
 * <p>Threads: any; guarded by itself, and no run is called under it.
 */
public final class OpenRuns {
    private final Set<OpenRun> runs = new LinkedHashSet<>();
    private boolean closed;
    /** The runs of compiled graphs. Written by the thread that opens the session, before others see it. */
    private CompiledRuns compiled = new CompiledRuns() {
        @Override
        public boolean areInFlight() {
            return false;
        }

        @Override
        public List<TaskView> tasks(Map<Node, TaskView> seen) {
            return List.of();
        }
    };

    /** Creates an empty list. */
    OpenRuns() {}

    /**
     * Adds a run that begins.
     *
     * @throws IllegalStateException when the session is closed
     */
    public synchronized void add(OpenRun run) {
        if (closed) {
            throw new IllegalStateException(
                    "a run of a compiled graph was started after its session was closed: run it before");
        }
        runs.add(run);
    }

    /** Removes a run that is closed. */
    public synchronized void remove(OpenRun run) {
        runs.remove(run);
    }

    /** Sets the runs of compiled graphs, when the session is made. */
    public void setCompiled(CompiledRuns runs) {
        compiled = runs;
    }

    CompiledRuns compiled() {
        return compiled;
    }

    /**
     * Throws if tasks of {@code graph} cannot be over before the calling thread closes a user view, or ends a function
     * that a driver has it run for a task, and if the thread is in a listener: a front that waits for them would wait
     * for ever.
     */
    public static void requireNotHeldUp(TaskGraph graph) {
        graph.scope().domain.requireOutsideListeners(graph.text());
        graph.scope().domain.views().requireNoneBefore(graph);
        DrivenFunction.requireNoneBefore(graph, graph.text());
    }

    /** Returns true if {@link #requireNotHeldUp} throws. Cheap for a thread without views and functions. */
    public static boolean isHeldUp(TaskGraph graph) {
        return StateObserver.isTelling(graph.scope().watch)
                || graph.scope().domain.views().isBefore(graph)
                || DrivenFunction.ownTask(own -> HeldUp.by(own, graph)) != null;
    }

    private synchronized List<OpenRun> all() {
        return List.copyOf(runs);
    }

    List<String> describe() {
        List<String> lines = new ArrayList<>();
        all().forEach(run -> lines.addAll(run.describe()));
        return lines;
    }

    /** Returns a number that changes whenever one of the runs makes progress. */
    public long progress() {
        return all().stream().mapToLong(OpenRun::progress).sum();
    }

    boolean isAnyStuck() {
        return all().stream().anyMatch(OpenRun::isStuck);
    }

    /**
     * Ends all runs. From now on no run can be added.
     *
     * @return the first exception, with the others suppressed; null when there was none
     */
    public @Nullable RuntimeException end() {
        synchronized (this) {
            closed = true;
        }
        RuntimeException first = null;
        for (OpenRun run : all()) {
            try {
                run.end();
            } catch (RuntimeException e) {
                first = Suppressed.join(first, e);
            }
        }
        return first;
    }

    /**
     * The runs of a session's compiled graphs. Implemented by these.
     *
     * <p>Threads: every method may be called by any thread.
     */
    public interface CompiledRuns {
        /** Returns true if a run is in flight. */
        boolean areInFlight();

        /**
         * Returns the tasks of runs in flight that are not over, as far as they can be found.
         *
         * @param seen the nodes that workers run and queues hold; nodes that stand for a task are removed
         */
        List<TaskView> tasks(Map<Node, TaskView> seen);
    }

    /**
     * Work other than tasks that uses a session's workers, such as a run of a flow graph. Implemented by fronts.
     *
     * <p>Threads: every method may be called by any thread.
     */
    public interface OpenRun {
        /**
         * Returns the state of the run, and the reasons for its waits. The first line names the run; each further line
         * begins with blanks.
         */
        List<String> describe();

        /** Returns a number that changes whenever the run makes progress, also outside of the session's workers. */
        long progress();

        /** Returns true if work is left, no body of the run is at work, and the run waits for nothing from outside. */
        boolean isStuck();

        /**
         * Ends the run with its session: cancels the rest, and waits until no code of the run is at work.
         *
         * @throws RuntimeException which names the lost work; the run has ended all the same
         */
        void end();
    }
}
