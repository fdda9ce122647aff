package dev.jacquard.core.compiled;

import dev.jacquard.engine.work.WorkerContext;
import org.jspecify.annotations.Nullable;

/**
 * A turn in a graph with its own schedule: a node in front of each task, which counts the predecessors in its place.
 * When they are over, the task goes into the schedule, and this node to a worker, which runs the task that the schedule
 * says. So there are as many turns as tasks in the schedule. With one worker all tasks that become ready together are
 * in it before the next one runs; other workers may take one before the last of them is.
 */
final class Turn extends CompiledNode {
    private final RunState run;
    private final Scheduled scheduled;
    private final CompiledTask task;
    private final boolean alone;
    /** Nanoseconds, for a policy of the session's. Written by the thread that gives the turn to the policy. */
    private long expectedNanos;

    Turn(RunState run, Scheduled scheduled, CompiledTask task, boolean alone) {
        this.run = run;
        this.scheduled = scheduled;
        this.task = task;
        this.alone = alone;
    }

    @Override
    void counted(WorkerContext context) {
        schedule();
        context.readyAtEnd(this);
    }

    @Override
    void countedBeside(WorkerContext context) {
        schedule();
        context.readyBeside(this);
    }

    CompiledTask task() {
        return task;
    }

    private void schedule() {
        reset();
        scheduled.push(task);
    }

    @Override
    public void run(WorkerContext context) {
        TaskLimit limit = run.limit();
        if (limit != null && !limit.begin(this)) {
            return; // made ready again when another task has ended
        }
        CompiledTask next = scheduled.take(context.index());
        if (limit == null ? next.performWhereAllowed(context) : next.performLimited(limit, context)) {
            next.releaseAll(context, alone);
        }
    }

    /** Returns the number of the task, for the order of turns that wait for others to end. */
    @Override
    public long id() {
        return task.id();
    }

    @Override
    public long expectedNanos() {
        return expectedNanos;
    }

    @Override
    public void expect(long nanos) {
        expectedNanos = nanos;
    }

    @Override
    public @Nullable String graphName() {
        return task.graphName();
    }

    @Override
    public String name() {
        return task.name();
    }

    @Override
    public String toString() {
        return task.name();
    }
}
