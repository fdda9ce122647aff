package dev.jacquard.core.graph;

import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.Wait;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The wait of a thread for a task, or for the tasks of a graph. */
final class TaskWait extends Wait {
    /** The predecessors of the task or the graph waited for. Confined to the waiting thread. */
    private final Predecessors needed;
    /** Says if a submission broke off. A field, since the waiting thread asks for each node that the thread runs. */
    private final BrokenSubmission broken;

    private final Dispatcher dispatcher;
    /** True when the session is being closed, which waits for all tasks: so the thread may run any. */
    private final boolean closing;

    private TaskWait(Predecessors needed, Scope scope) {
        this.needed = needed;
        this.broken = scope.domain.broken;
        this.dispatcher = scope.domain.dispatcher;
        this.closing = scope.domain.isClosed();
    }

    /** Returns a wait of the calling thread for the tasks of {@code graph}. */
    static TaskWait of(TaskGraph graph) {
        return new TaskWait(new Predecessors(graph), graph.scope());
    }

    /**
     * Waits until it is known how {@code task} ends. Throws if it does not end well, or if the calling thread runs a
     * predecessor of the task.
     */
    static void forTask(TaskNode task) {
        task.requireLive();
        Dispatcher dispatcher = task.scope().domain.dispatcher;
        if (dispatcher.isInsideNode()) {
            requireBefore(task, dispatcher.current());
        }
        if (!task.isDecided()) {
            String what = "task \"" + task.name() + '"';
            requireNobodyBefore(task, what);
            TaskWait wait = new TaskWait(new Predecessors(task), task.scope());
            if (task.tell(new ToldLink(wait::end)) && !task.isDecided()) {
                wait.await(what);
            }
        }
        RuntimeException failure = task.failure();
        if (failure != null) {
            task.scope().graph.failures().tell(task.ending());
            throw failure;
        }
    }

    /** Throws unless {@code node}, which the calling thread runs, starts only when {@code task} is over. */
    private static void requireBefore(TaskNode task, @Nullable Node node) {
        TaskRun own = node instanceof TaskNode asks ? asks.taskRun() : null;
        boolean explicitly = own != null && own.after.contains(task);
        boolean partOf = task.scope() instanceof Refinement inside
                && inside.parent() == node
                && inside.parent().refinementNow() != inside; // that task does the work left to do after its parts
        if (!explicitly && !partOf) {
            throw new IllegalStateException("the body of a task must not wait for task \"" + task.name()
                    + "\", even if that is over by chance: let the waiting task come after(...) it,"
                    + " or submit the rest of the body as a separate task");
        }
    }

    /**
     * Throws if the task cannot be over before the calling thread returns from a listener, closes a view, or ends a
     * function.
     */
    private static void requireNobodyBefore(TaskNode task, String what) {
        task.scope().domain.requireOutsideListeners(what);
        task.scope().domain.views().requireNoneBefore(task, what);
        DrivenFunction.requireNoneBefore(task, what);
    }

    /**
     * Waits for {@code what}, until {@code done}, which changes at the end of {@code task}, or by a thread that signals
     * the dispatcher.
     */
    static void until(TaskNode task, BooleanSupplier done, String what) {
        requireNobodyBefore(task, what);
        Dispatcher dispatcher = task.scope().domain.dispatcher;
        BrokenSubmission broken = task.scope().domain.broken;
        boolean _ = task.tell(new ToldLink(dispatcher::signal)); // false if the task is over already
        try {
            dispatcher.awaitUntil(() -> done.getAsBoolean() || broken.isBroken());
        } catch (InterruptedException e) {
            throw new WaitInterruptedException(what, e);
        }
        requireWhole(broken);
    }

    /** Waits for {@code what}, until the wait ends. The tasks go on when the thread is interrupted. */
    void await(String what) {
        try {
            dispatcher.await(this);
        } catch (InterruptedException e) {
            throw new WaitInterruptedException(what, e);
        }
        requireWhole(broken);
    }

    /** Ends the run, and throws, if something broke off half way. */
    static void requireWhole(BrokenSubmission broken) {
        if (broken.isBroken()) {
            broken.endRun(BrokenSubmission.SOMETHING);
            broken.requireNone();
        }
    }

    @Override
    public boolean needs(Node node) {
        TaskNode task = AsyncCompletion.taskOf(node);
        return task == null || closing || needed.include(task);
    }

    @Override
    protected boolean isHopeless() {
        return broken.isBroken();
    }
}
