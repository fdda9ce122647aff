package dev.jacquard.core.graph;

import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.engine.work.ReadyTask.Edges;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The edges that a scheduling policy adds to a task that was submitted. Any thread. */
final class PolicyEdges {
    private final Dispatcher dispatcher;
    /** The name of the task of which the same thread notifies the policy; null outside of {@link #ask}. */
    private final ThreadLocal<String> asking = new ThreadLocal<>();

    PolicyEdges(Dispatcher dispatcher) {
        this.dispatcher = dispatcher;
    }

    /** The edges of one task, as the policy sees them. */
    private static final class Asked implements Edges {
        private final TaskNode task;
        private final Consumer<TaskNode> add;
        /**
         * The thread that notifies the policy; null afterwards. Written by that thread alone, and plain: others may see
         * it late, but never see themselves.
         */
        private @Nullable Thread teller = Thread.currentThread();

        Asked(TaskNode task, Consumer<TaskNode> add) {
            this.task = task;
            this.add = add;
        }

        @Override
        public void after(ReadyTask earlier) {
            if (teller != Thread.currentThread()) { // the task may be ready, and would be counted down to 0 twice
                throw new IllegalStateException("an edge to task \"" + task.name() + "\" was added too late, or by"
                        + " another thread: a policy adds edges while it is notified of the task, on that thread");
            }
            if (earlier == null) { // of a policy of the user's
                throw new IllegalArgumentException("task \"" + task.name() + "\" cannot come after null: name a task");
            }
            if (!(earlier instanceof TaskNode before)
                    || before.scope().domain != task.scope().domain
                    || before.id() < 0) {
                throw new IllegalArgumentException("task \"" + task.name() + "\" cannot come after \"" + earlier.name()
                        + "\", which was not submitted to the same session: name a task of this one");
            }
            if (before.scope().lock != task.scope().lock) {
                return; // the policy cannot know; a task that waited for one elsewhere might wait for itself
            }
            if (before.id() >= task.id()) {
                throw new IllegalArgumentException("task \"" + task.name() + "\" cannot come after \"" + earlier.name()
                        + "\", which was not submitted before it: name an earlier task");
            }
            add.accept(before);
        }
    }

    /**
     * Notifies the policy of {@code task}. Outside of the lock, since a policy is users' code; an edge of the submitter
     * keeps the task from becoming ready until the policy has returned.
     *
     * @param add makes the task wait for a task that was submitted before to the same scope
     */
    void ask(TaskNode task, Consumer<TaskNode> add) {
        Asked edges = new Asked(task, add);
        asking.set(task.name());
        try {
            dispatcher.submitted(task, edges);
        } finally {
            edges.teller = null;
            asking.remove();
        }
    }

    /** Throws if the calling thread is inside {@link #ask}: the policy would be notified without end. */
    void requireNotAsking(String task) {
        String told = asking.get();
        if (told != null) {
            throw new IllegalStateException("task \"" + task
                    + "\" was submitted by the scheduling policy while the policy was notified of task \"" + told
                    + "\": a policy adds edges, and submits nothing");
        }
    }
}
