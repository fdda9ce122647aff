package dev.jacquard.core.graph;

/**
 * A listener to every change of every task's state, called by the thread that makes the change, before anything that
 * depends on the change starts.
 *
 * <pre>{@code
 * Session.builder().listener(change -> log.add(change.task() + " is " + change.state())).open();
 * }</pre>
 *
 * <p>Changes of one task come one after the other, in their order; changes of different tasks come from several threads
 * at the same time. A listener must not block, since it holds up the task and the thread: a wait of the session's in a
 * listener throws an {@link IllegalStateException}. Its submissions wait for no window. An exception of a listener ends
 * the run: all graphs of the session are cancelled, compiled graphs when their next task begins or ends, and their
 * awaits throw a {@link RunEndedException}.
 *
 * <p>Of tasks of compiled graphs a listener hears when they run and when they are over, and nothing of skipped tasks.
 *
 * <p>Source: the resource-register document, section 3.
 */
@FunctionalInterface
public interface TaskListener {
    /** Called when a task's state has changed. */
    void changed(Change change);

    /**
     * A change of a task's state.
     *
     * @param id the number of the task in its session, from 0 on, in the order of submission as far as there is one; -1
     *     for tasks of compiled graphs, of which changes are reported from when they run
     * @param task the name of the task
     * @param graph the name of its graph
     * @param state the state of the task from now on
     * @param nanos the time of the change, on the session's clock
     * @param worker the worker that ran the task, or the last one that it waited for; -1 for a thread that submitted or
     *     otherwise acted from outside
     */
    record Change(long id, String task, String graph, TaskState state, long nanos, int worker) {}
}
