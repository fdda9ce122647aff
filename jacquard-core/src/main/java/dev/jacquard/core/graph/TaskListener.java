package dev.jacquard.core.graph;

/**
 * Hears of every change of every task's state, by the thread that makes the change, before what depends on it starts.
 *
 * <pre>{@code
 * Session.builder().listener(change -> log.add(change.task() + " is " + change.state())).open();
 * }</pre>
 *
 * <p>Changes of one task come one after the other, in their order; those of different tasks come from several threads
 * at the same time. A listener must not block: it holds up the worker. What it throws ends the run: all graphs of the
 * session are cancelled, and their awaits throw a {@link RunEndedException}.
 *
 * <p>Tasks of compiled graphs are told of when they run and when they are over; skipped ones are not.
 *
 * <p>Source: the resource-register document, section 3.
 */
@FunctionalInterface
public interface TaskListener {
    /** A task's state has changed. */
    void changed(TaskChange change);
}
