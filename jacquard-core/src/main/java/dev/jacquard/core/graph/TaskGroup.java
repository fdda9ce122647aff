package dev.jacquard.core.graph;

import dev.jacquard.base.machine.Target;
import dev.jacquard.engine.work.WorkerContext;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Tasks of a graph that belong together, and who goes on when all of them are over; nobody waits meanwhile.
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
    private final TaskGraph graph;
    private final @Nullable Target device;
    private final Watcher watcher;
    /** Tasks that are not over, and 1 until {@link #whenOver}. Who brings it to 0 goes on. */
    private final AtomicInteger open = new AtomicInteger(1);
    /** Confined to who submits. */
    private int submitted;
    /** Guarded by this: how the first task that did not end well ended. */
    private @Nullable RuntimeException failure;
    /** Written before {@link #open} loses the submitter's part, read by who brings it to 0. */
    private @Nullable Runnable next;

    TaskGroup(TaskGraph graph, @Nullable Target device, Watcher watcher) {
        this.graph = graph;
        this.device = device;
        this.watcher = watcher;
    }

    /**
     * {@inheritDoc}
     *
     * <p>A kernel is run on the group's device, where it has one and {@link TaskBuilder#on} names no other.
     *
     * @throws IllegalStateException after {@link #whenOver}
     */
    @Override
    public TaskBuilder task(String task) {
        Objects.requireNonNull(task, "task");
        if (next != null) {
            throw new IllegalStateException(
                    "task \"" + task + "\" comes too late: it was said what happens when this group of tasks is over");
        }
        return new TaskBuilder(graph.scope(), task, this);
    }

    /** How many tasks were submitted. By who submits. */
    public int submitted() {
        return submitted;
    }

    /**
     * Says what happens when all tasks of the group are over, however they ended; nothing can be submitted any more.
     *
     * @param then called once: by the worker that ended the last of them, or by this thread when they are over already.
     *     It must be short, must not block and must not throw
     * @throws IllegalStateException when it was said already
     */
    public void whenOver(Runnable then) {
        Objects.requireNonNull(then, "then");
        if (next != null) {
            throw new IllegalStateException("it was said already what happens when this group of tasks is over");
        }
        next = then;
        oneOver();
    }

    /**
     * Why not all tasks ended well: what {@link Task#join} of the first that did not would throw; null when all did so
     * far.
     */
    public synchronized @Nullable RuntimeException failure() {
        return failure;
    }

    /** Where kernels are to run; null for anywhere. */
    @Nullable
    Target device() {
        return device;
    }

    /** {@code task} has been submitted. */
    void joined(TaskNode task) {
        submitted++;
        open.getAndIncrement();
        End end = new End(this, task);
        if (!task.tell(end)) {
            end.over();
        }
    }

    private void oneOver() {
        // A read-modify-write of each who is over: the last one sees what all of them did.
        if (open.decrementAndGet() == 0) {
            Objects.requireNonNull(next).run();
        }
    }

    private synchronized void failed(RuntimeException how) {
        if (failure == null) {
            failure = how;
        }
    }

    /** A task goes from one phase to the other. */
    void goes(Phase from, Phase to) {
        watcher.goes(from, to);
    }

    /** What a task of a group is at. */
    public enum Phase {
        /** It waits for other tasks or for a worker, or is over. */
        ELSEWHERE,
        /** Its data is on the way to where it is to run, or waits for room there. */
        STAGING,
        /** Its body runs, or its device works for it. */
        RUNNING
    }

    /** Is told what tasks are at; short, and by any thread. */
    @FunctionalInterface
    public interface Watcher {
        /** A task of the group goes on. */
        void goes(Phase from, Phase to);
    }

    /** Tells the group of a task's end. */
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
            group.oneOver();
        }
    }
}
