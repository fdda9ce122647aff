package dev.jacquard.core.graph;

import dev.jacquard.base.failure.Suppressed;
import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.engine.work.WorkerContext;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Tasks of a graph that belong together, with an action that runs when all of them are over; no thread waits for that.
 *
 * <pre>{@code
 * TaskGroup group = graph.group();
 * group.task("scale").updates(block).run(SCALE, 2.0);
 * group.task("sum").reads(block).run(ctx -> store(ctx.memory(block)));
 * group.whenOver(() -> next(group.failure()));                // no thread waits
 * }</pre>
 *
 * <p>Threads: tasks are submitted by one thread at a time, which then calls {@link #whenOver} once; they end on any.
 */
public final class TaskGroup implements Tasks {
    /** The most failures that the first one suppresses. */
    private static final int MOST_SUPPRESSED = 15;

    private final TaskGraph graph;
    private final @Nullable ExecutionTarget device;
    private final Watcher watcher;
    /** Confined to the submitting thread. */
    private boolean mayLeave;
    /**
     * The number of tasks that are not over, and 1 more until {@link #whenOver}. The thread that brings the number to 0
     * runs {@link #next}.
     */
    private final AtomicInteger open = new AtomicInteger(1);
    /** The number of tasks submitted. Confined to the submitting thread. */
    private int submitted;
    /** The exception that {@link #failure()} returns; null for none. Guarded by this. */
    private @Nullable RuntimeException failure;
    /**
     * The action for the end. Written before {@link #open} loses the submitter's part, read by the thread that brings
     * {@link #open} to 0.
     */
    private @Nullable Runnable next;

    TaskGroup(TaskGraph graph, @Nullable ExecutionTarget device, Watcher watcher) {
        this.graph = graph;
        this.device = device;
        this.watcher = watcher;
    }

    /**
     * {@inheritDoc}
     *
     * <p>A kernel runs on the group's device, if the group has one and {@link TaskBuilder#on} names no other.
     *
     * @throws IllegalStateException after {@link #whenOver}
     */
    @Override
    public TaskBuilder task(String task) {
        Objects.requireNonNull(task, "task");
        if (next != null) {
            throw new IllegalStateException("task \"" + task
                    + "\" was submitted to its group after whenOver(...): submit all tasks of a group before");
        }
        return new TaskBuilder(graph.scope(), task, this, true);
    }

    /**
     * Lets kernels of the group run at other targets that they have implementations for, if the group's device is lost
     * or fails. By the submitting thread, before it submits.
     */
    public TaskGroup orElsewhere() {
        mayLeave = true;
        return this;
    }

    /** Returns the number of tasks submitted. By the submitting thread. */
    public int submitted() {
        return submitted;
    }

    /**
     * Sets the action for the moment when all tasks of the group are over, however they ended. Nothing can be submitted
     * any more.
     *
     * @param then called once, by the worker that ended the last task, or by the calling thread when all tasks are over
     *     already. The action must be short and must not block. An exception of the action on a worker is a failure of
     *     the graph, which its next await reports; on the calling thread it is thrown here
     * @throws IllegalStateException when the action was set already
     */
    public void whenOver(Runnable then) {
        Objects.requireNonNull(then, "then");
        if (next != null) {
            throw new IllegalStateException("whenOver(...) of a group of " + submitted
                    + " tasks was called twice: give one action that does both");
        }
        next = then;
        if (isOver()) {
            then.run();
        }
    }

    /**
     * Returns the exception that {@link Task#join} of the first task that failed would throw, or of the first one that
     * was cancelled if none failed; null when all have ended well so far. Up to 15 further failures, each with its
     * first task, are suppressed.
     */
    public synchronized @Nullable RuntimeException failure() {
        return failure;
    }

    /** Returns the target where kernels run; null for any. */
    @Nullable
    ExecutionTarget device() {
        return device;
    }

    /** Returns true if kernels may leave {@link #device}. */
    boolean mayLeave() {
        return mayLeave;
    }

    /** Adds {@code task}, which has been submitted. */
    void joined(TaskNode task) {
        submitted++;
        open.getAndIncrement();
        End end = new End(this, task);
        if (!task.tell(end)) {
            end.over();
        }
    }

    /** Counts one part down. Returns true for the last: by its read-modify-write it sees the changes by all tasks. */
    private boolean isOver() {
        return open.decrementAndGet() == 0;
    }

    /** Runs the action on the worker that ended {@code last}, which must not end by it. */
    private void runNext(TaskNode last) {
        try {
            Objects.requireNonNull(next).run();
        } catch (VirtualMachineError e) {
            throw e; // the work of the action may be half done
        } catch (RuntimeException | Error e) {
            graph.keep(Outcome.failed(last.name(), e, "the action that follows its group, of which it was the last"));
        }
    }

    private synchronized void failed(RuntimeException how) {
        RuntimeException first = failure;
        if (first == null || (how instanceof TaskFailedException && !(first instanceof TaskFailedException))) {
            failure = how; // the graph reports its cancellation itself
        } else if (how instanceof TaskFailedException && isAnother(first, how)) {
            Suppressed.add(first, how);
        }
    }

    private static boolean isAnother(RuntimeException first, RuntimeException how) {
        Throwable[] others = first.getSuppressed();
        return others.length < MOST_SUPPRESSED
                && first.getCause() != how.getCause()
                && Arrays.stream(others).noneMatch(one -> one.getCause() == how.getCause());
    }

    /** Notes that a task goes from one phase to another. */
    void goes(Phase from, Phase to) {
        watcher.goes(from, to);
    }

    /** The phases of a task of a group. */
    public enum Phase {
        /** The task waits for other tasks or for a worker, or is over. */
        ELSEWHERE,
        /** The task's data is on the way to the place where the task runs, or waits for room there. */
        STAGING,
        /** The body of the task runs, or a device works for it. */
        RUNNING
    }

    /** An observer of the phases of a group's tasks. Called by any thread; must be short. */
    @FunctionalInterface
    public interface Watcher {
        /** Called when a task of the group goes from one phase to another. */
        void goes(Phase from, Phase to);
    }

    /** A link that notifies the group of a task's end. */
    private static final class End extends Link {
        private final TaskGroup group;
        private final TaskNode task;

        End(TaskGroup group, TaskNode task) {
            super(null, false, true);
            this.group = group;
            this.task = task;
        }

        @Override
        void over(WorkerContext worker) {
            over();
        }

        void over() {
            RuntimeException how = task.failure();
            if (how != null) {
                group.failed(how);
            }
            if (group.isOver()) {
                group.runNext(task);
            }
        }
    }
}
