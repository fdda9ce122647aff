package dev.jacquard.core.graph;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.base.trace.TraceMode;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.WorkerContext;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Notifies listeners and the trace of every change of a task's state. An observer exists only when there is a listener
 * or a trace of states; its absence costs a branch.
 *
 * <p>Threads: any, each for the task that it moves to another state.
 */
final class StateObserver implements DependencyDomain.CompiledWatch {
    private final Clock clock;
    private final Trace trace;
    private final Breakdown breakdown;
    private final TaskListener[] listeners;
    /** The names of the states in the trace, by the states' codes; empty when the trace does not want states. */
    private final String[] stateNames;
    /**
     * The threads outside of workers that are in listeners now, with the innermost change of each. Each thread writes
     * its own entry.
     */
    private final Map<Thread, Told> telling = new ConcurrentHashMap<>();
    /** True once a listener threw. Set by the thread that called it; never unset. */
    private volatile boolean ended;

    /** Ends the run of {@code graph}, or of a compiled graph where that is null. */
    @FunctionalInterface
    interface Breakdown {
        void end(@Nullable TaskGraph graph, String what, Throwable why);
    }

    /** A change that listeners are being notified of. */
    private record Told(TaskNode task, TaskState state) {}

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

    /** Reports that {@code task} is {@code state} from now on. {@code worker} is null outside of workers. */
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
                tellOutside(task, new TaskListener.Change(id, task.name(), graph.name(), state, now, -1));
            } else {
                tell(graph, new TaskListener.Change(id, task.name(), graph.name(), state, now, worker.index()));
            }
        }
    }

    private void tellOutside(TaskNode task, TaskListener.Change change) {
        Thread thread = Thread.currentThread();
        Told outer = telling.put(thread, new Told(task, change.state()));
        try {
            tell(task.scope().graph, change);
        } finally {
            if (outer == null) {
                telling.remove(thread);
            } else {
                telling.put(thread, outer);
            }
        }
    }

    /**
     * Returns true if the calling thread, which is outside of workers, is in a listener: its task is held up so long.
     *
     * @param watch null for none
     */
    static boolean isTelling(@Nullable StateObserver watch) {
        return watch != null && watch.telling.containsKey(Thread.currentThread());
    }

    /**
     * Throws if the calling thread, which is outside of workers, is in a listener.
     *
     * @param watch null for none
     * @param what the name of the task or event that the thread is about to wait for
     * @throws IllegalStateException which names the task that is held up
     */
    static void requireNotTelling(@Nullable StateObserver watch, String what) {
        Told its = watch == null ? null : watch.telling.get(Thread.currentThread());
        if (its != null) {
            throw new IllegalStateException("a listener must not wait for " + what + ": task \"" + its.task.name()
                    + "\", which became " + its.state + ", goes on only when the listener returns; let another thread"
                    + " wait");
        }
    }

    /** Shows the tasks that threads outside of workers hold up in listeners, with a text that says so. Any thread. */
    void eachTelling(BiConsumer<TaskNode, String> visitor) {
        telling.forEach((thread, its) -> visitor.accept(
                its.task,
                "notified that it became " + its.state + ", and has not returned on thread " + Threads.name(thread)));
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
