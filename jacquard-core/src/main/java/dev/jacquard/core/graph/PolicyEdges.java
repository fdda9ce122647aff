package dev.jacquard.core.graph;

import dev.jacquard.engine.work.Dispatcher;
import java.util.function.Consumer;

/** The edges that a scheduling policy adds to a task that was submitted. Any thread. */
final class PolicyEdges {
    private final Dispatcher dispatcher;
    /** The name of the task of which the same thread tells the policy; null outside of {@link #ask}. */
    private final ThreadLocal<String> asking = new ThreadLocal<>();

    PolicyEdges(Dispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    /**
     * Tells the policy of {@code task}. Outside of the lock, since a policy is users' code; an edge of the submitter's
     * keeps the task from becoming ready meanwhile.
     *
     * @param add makes the task wait for a task that was submitted before to the same scope
     */
    void ask(TaskNode task, Consumer<TaskNode> add) {
        asking.set(task.name());
        try {
            dispatcher.submitted(task, earlier -> {
                if (earlier == null) { // of a policy of the user's
                    throw new IllegalArgumentException(
                            "task \"" + task.name() + "\" cannot come after null: name a task");
                }
                if (!(earlier instanceof TaskNode before)
                        || before.scope().lock != task.scope().lock
                        || before.id() < 0) {
                    throw new IllegalArgumentException(
                            "\"" + earlier.name() + "\" is no task that was submitted beside \"" + task.name() + "\"");
                }
                if (before.id() >= task.id()) {
                    throw new IllegalArgumentException("task \"" + task.name() + "\" cannot come after \""
                            + earlier.name() + "\", which was not submitted before it");
                }
                add.accept(before);
            });
        } finally {
            asking.remove();
        }
    }

    /** Throws if the calling thread is inside {@link #ask}: the policy would be told without end. */
    void requireNotAsking(String task) {
        String told = asking.get();
        if (told != null) {
            throw new IllegalStateException(
                    "task \"" + task + "\" was submitted by the scheduling policy, while that was told of task \""
                            + told + "\": a policy adds edges, and submits nothing");
        }
    }
}
