package dev.jacquard.core.graph;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.base.trace.TraceMode;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.WorkerContext;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells listeners and the trace of every change of a task's state. An observer exists only when there is a listener or
 * a trace of states; its absence costs a branch.
 *
 * <p>Threads: any, each for the task whose state it changes.
 */
final class StateObserver implements DependencyDomain.CompiledWatch {
    private final Clock clock;
    private final Trace trace;
    private final Breakdown breakdown;
    private final TaskListener[] listeners;
    /** The names of the states in the trace, by the states' codes; empty when the trace does not want states. */
    private final String[] stateNames;
    /** The threads outside of workers that tell listeners now. Each thread adds and removes itself. */
    private final Set<Thread> telling = ConcurrentHashMap.newKeySet();
    /** True once a listener threw. Set by the thread that told it; never unset. */
    private volatile boolean ended;

    /** Ends the run of {@code graph}, or of a compiled graph where that is null. */
    @FunctionalInterface
    interface Breakdown {
        void end(@Nullable TaskGraph graph, String what, Throwable why);
    }

    private StateObserver(Dispatcher dispatcher, List<TaskListener> listeners, Breakdown breakdown) {
        this.clock = dispatcher.clock();
        this.trace = dispatcher.trace();
        this.breakdown = breakdown;
        this.listeners = listeners.toArray(TaskListener[]::new);
        TaskState[] states = trace.mode() == TraceMode.STATES ? TaskState.values() : new TaskState[0];
        this.stateNames = new String[states.length];
        for (TaskState state : states) {
            stateNames[state.code()] = state.toString().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /**
     * Returns an observer; null when there is no listener and the trace does not want states.
     *
     * @param breakdown called when a listener throws
     */
    static @Nullable StateObserver of(Dispatcher dispatcher, List<TaskListener> listeners, Breakdown breakdown) {
        return listeners.isEmpty() && dispatcher.trace().mode() != TraceMode.STATES
                ? null
                : new StateObserver(dispatcher, listeners, breakdown);
    }

    /** Tells that {@code task} is {@code state} from now on. {@code worker} is null outside of workers. */
    void changed(TaskNode task, TaskState state, @Nullable WorkerContext worker) {
        long id = task.id();
        if (stateNames.length > 0) {
            long now = trace.nanoTime();
            String what = stateNames[state.code()];
            if (worker == null) {
                trace.eventOutside(task.name(), what, now, id);
            } else {
                worker.lane().event(task.name(), what, now, id);
            }
        }
        if (listeners.length > 0) {
            TaskGraph graph = task.scope().graph;
            long now = clock.nanoTime();
            if (worker == null) {
                tellOutside(graph, new TaskListener.Change(id, task.name(), graph.name(), state, now, -1));
            } else {
                tell(graph, new TaskListener.Change(id, task.name(), graph.name(), state, now, worker.index()));
            }
        }
    }

    private void tellOutside(TaskGraph graph, TaskListener.Change change) {
        Thread thread = Thread.currentThread();
        boolean outermost = telling.add(thread);
        try {
            tell(graph, change);
        } finally {
            if (outermost) {
                telling.remove(thread);
            }
        }
    }

    /**
     * Returns true if the calling thread, which is outside of workers, is in a listener: its task is held up so long.
     */
    boolean isTelling() {
        return telling.contains(Thread.currentThread());
    }

    boolean hasListeners() {
        return listeners.length > 0;
    }

    @Override
    public boolean changed(String graph, String task, TaskState state, int worker) {
        long now = clock.nanoTime();
        tell(null, new TaskListener.Change(-1, task, graph, state, now, worker));
        return !ended;
    }

    @Override
    public boolean hasEnded() {
        return ended;
    }

    private void tell(@Nullable TaskGraph graph, TaskListener.Change change) {
        for (TaskListener listener : listeners) {
            try {
                listener.changed(change);
            } catch (Throwable e) { // errors too: they must not end a worker
                breakdown.end(
                        graph, "a listener threw when task \"" + change.task() + "\" became " + change.state(), e);
                ended = true;
            }
        }
    }
}
