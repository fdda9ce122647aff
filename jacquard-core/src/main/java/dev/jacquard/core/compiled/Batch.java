package dev.jacquard.core.compiled;

import dev.jacquard.base.concurrent.Fields;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A few tasks that became ready together. Workers take them one at a time and run them in a row.
 *
 * <pre>
 *  worker A                                  worker B
 *    takes task 0   at += 1
 *    puts the batch into its deque ------->    steals the batch
 *    runs task 0                               takes task 1   at += 1
 *    takes task 2   at += 1                    puts the batch into its deque
 *    ...                                       runs task 1
 * </pre>
 *
 * <p>While a body runs, each task of the batch that no worker has taken can be stolen: the batch is in a deque before
 * the first body runs, and a worker that steals it puts it into its own. A batch whose tasks are all taken may still be
 * in a deque; running it does nothing, and when it is open for the next pass, running it takes tasks of that pass.
 *
 * <p>Consecutive tasks with the same single successor count it down together: the successor waits for the task that
 * runs anyway.
 */
final class Batch extends Node {
    private static final VarHandle AT = Fields.handle(MethodHandles.lookup(), "at", int.class);

    private final CompiledTask[] tasks;
    private final int from;
    private final int to;
    private final Sharing sharing;

    /**
     * The next task that no worker has taken; {@code to} or more when all are taken. Set back by the worker that opens
     * the batch (release), advanced with getAndAdd by each worker that takes a task. Plain with one worker, since only
     * its thread needs it, and unused under a policy.
     */
    private int at;

    Batch(CompiledTask[] tasks, int from, int to, Sharing sharing) {
        this.tasks = tasks;
        this.from = from;
        this.to = to;
        this.sharing = sharing;
        this.at = to;
    }

    /** Makes all tasks ready and runs the first. Called once in each pass. */
    void begin(WorkerContext context) {
        switch (sharing) {
            case ALONE -> {
                at = from;
                runAlone(context);
            }
            case STOLEN -> {
                AT.setRelease(this, from); // pairs with take() in a worker that holds the batch from an earlier pass
                runShared(context);
            }
            case ORDERED -> {
                for (int i = to - 1; i >= from; i--) {
                    context.readyAtEnd(tasks[i]);
                }
            }
        }
    }

    @Override
    public @Nullable String graphName() {
        return tasks[from].graphName();
    }

    /**
     * Returns the last task that a worker took, or the first task when none was taken. For pictures of a run; read
     * without an order.
     */
    CompiledTask lastTaken() {
        return tasks[Math.max(from, Math.min((int) AT.getOpaque(this), to) - 1)];
    }

    /** Returns all tasks. */
    List<CompiledTask> tasks() {
        return Arrays.asList(tasks).subList(from, to);
    }

    /** Returns the tasks that no worker has taken. For pictures of a run; read without an order. */
    List<CompiledTask> untaken() {
        return Arrays.asList(tasks).subList(Math.min((int) AT.getOpaque(this), to), to);
    }

    @Override
    public String toString() {
        return lastTaken().name();
    }

    @Override
    public void run(WorkerContext context) {
        if (sharing == Sharing.ALONE) {
            runAlone(context);
        } else if ((int) AT.getOpaque(this) < to) {
            runShared(context);
        }
    }

    private void runShared(WorkerContext context) {
        int i = take();
        if (i + 1 < to) {
            context.ready(this);
        }
        CompiledNode counted = tasks[from]; // any: nothing is counted yet
        int ended = 0;
        while (i < to) {
            CompiledTask task = tasks[i];
            CompiledNode only = task.only();
            if (ended > 0 && only != counted) { // other workers took the tasks in between
                if (counted.countDown(ended, false)) {
                    context.ready(counted); // before a body that may run long
                }
                ended = 0;
            }
            if (task.perform(context)) {
                if (only == null) {
                    task.releaseAll(context, false);
                    return; // depth first keeps few tasks ready
                }
                counted = only;
                ended++;
            }
            if (ended > 0 && (i + 1 >= to || tasks[i + 1].only() != counted)) {
                if (counted.countDown(ended, false)) {
                    context.readyAtEnd(counted);
                    return;
                }
                ended = 0;
            }
            i = take();
        }
        if (ended > 0 && counted.countDown(ended, false)) {
            context.readyAtEnd(counted);
        }
    }

    private int take() {
        return (int) AT.getAndAdd(this, 1);
    }

    private void runAlone(WorkerContext context) {
        CompiledNode counted = null;
        int ended = 0;
        for (int i = at; i < to; i++) {
            CompiledTask task = tasks[i];
            CompiledNode only = task.only();
            if (counted != null && only != counted && ended > 0) {
                if (counted.countDown(ended, true)) {
                    leaveRest(i, context);
                    context.readyAtEnd(counted); // before the rest: depth first keeps few tasks ready
                    return;
                }
                ended = 0;
            }
            counted = only;
            at = i + 1; // for pictures of a run
            if (only == null) {
                leaveRest(i + 1, context);
            }
            if (task.perform(context)) {
                if (only == null) {
                    task.releaseAll(context, true);
                } else {
                    ended++;
                }
            }
            if (only == null) {
                return;
            }
        }
        if (counted != null && ended > 0 && counted.countDown(ended, true)) {
            context.readyAtEnd(counted);
        }
    }

    private void leaveRest(int next, WorkerContext context) {
        if (next < to) {
            at = next;
            context.ready(this);
        }
    }
}
