package dev.jacquard.core.graph;

import dev.jacquard.engine.work.ThreadFunction;
import dev.jacquard.memory.access.AccessList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The stage of a task with a function that a driver runs concurrently with the workers. The stage completes when the
 * function has ended, and not before: until then the function may touch the resources of the task.
 *
 * <p>{@link #cancel} interrupts the thread while the function itself runs, and not while the thread runs other bodies
 * inside the function's submissions and waits. A function that has not begun is kept from beginning.
 *
 * <p>Threads: run by the driver, cancelled by any; guarded by its own monitor.
 */
final class DrivenFunction<T extends @Nullable Object> extends CompletableFuture<T> implements Runnable {
    private final TaskContext context;
    private final TaskFunction<? extends T> function;
    /** Where a failure to report the end of the function is noted; null outside of live graphs. */
    private final @Nullable BrokenSubmission broken;
    /** Where it counts while it runs; null if none waits for its end. */
    private final @Nullable RunningFunctions counted;
    /** Set while it counts there. The function's thread alone writes and reads it. */
    private boolean counts;

    /** Set when the function begins, or must not begin any more. Guarded by the monitor. */
    private boolean begun;

    private final Running running = new Running();

    /** The function on its thread. */
    private final class Running extends ThreadFunction {
        /** Returns the task of this function, unless it is over, since it was abandoned, say; else null. */
        @Nullable
        TaskNode liveTask() {
            return context instanceof TaskNode task && !task.isOver() ? task : null;
        }
    }

    DrivenFunction(TaskContext context, TaskFunction<? extends T> function) {
        this.context = context;
        this.function = function;
        TaskNode task = context instanceof TaskNode live ? live : null;
        this.broken = task == null ? null : task.scope().domain.broken;
        this.counted = task == null || task.ownTaskRun().options.abandons ? null : task.scope().domain.functions;
    }

    /**
     * Gives the function to {@code driver}. An exception of the driver counts only if the function has not begun, nor
     * will.
     */
    void startOn(Executor driver) {
        try {
            driver.execute(this);
        } catch (Throwable e) {
            synchronized (this) {
                if (begun) {
                    return; // or has ended by now
                }
                begun = true;
            }
            throw e;
        }
    }

    /** Throws if {@code task} cannot be over before a function that the calling thread runs has ended. */
    static void requireNoneBefore(TaskNode task, String what) {
        refuse(what, ownTask(own -> HeldUp.by(own, task)));
    }

    /** Throws if {@code graph} cannot be over before a function that the calling thread runs has ended. */
    static void requireNoneBefore(TaskGraph graph, String what) {
        refuse(what, ownTask(own -> HeldUp.by(own, graph)));
    }

    /**
     * Throws if {@code what}, with these accesses, would wait for the task of a function that the calling thread runs,
     * or for a successor of that task.
     *
     * @param around the task inside which {@code what} is submitted; null for none
     */
    static void requireNoneInTheWay(String what, @Nullable TaskNode around, AccessList declared) {
        if (ThreadFunction.innermost() != null) {
            refuse(what, ownTask(own -> HeldUp.wouldBe(own, around, declared)));
        }
    }

    private static void refuse(String what, @Nullable TaskNode own) {
        if (own != null) {
            throw new IllegalStateException("the function of task \"" + own.name() + "\" must not wait for " + what
                    + ", which is over only after the task itself, so the wait would never end:"
                    + " return a stage from start(...), submit the rest as a task that comes after(...) this one,"
                    + " or leave it to ctx.afterwards(...)");
        }
    }

    /**
     * Returns the innermost live task that passes {@code which} among the tasks of functions that the calling thread
     * runs; null for none.
     */
    static @Nullable TaskNode ownTask(Predicate<TaskNode> which) {
        for (ThreadFunction its = ThreadFunction.innermost(); its != null; its = its.around()) {
            TaskNode task = its instanceof DrivenFunction<?>.Running running ? running.liveTask() : null;
            if (task != null && which.test(task)) {
                return task;
            }
        }
        return null;
    }

    // ---- interrupts

    /** Calls the function, unless another call of this method did, or the function must not begin any more. */
    @Override
    public void run() {
        boolean first = false;
        try {
            first = begins();
            if (first) {
                callFunction();
            }
        } catch (Error e) { // not of the function; perhaps its end was not reported
            if (begun && broken != null) {
                broken.by = e; // a field, since there may be no stack left for a call
            }
            throw e;
        } finally {
            if (first
                    && counts
                    && counted != null) { // there was no stack left to end it, nor may there be one for a call here
                synchronized (counted) {
                    counts = false;
                    counted.count--;
                }
            }
        }
    }

    private void callFunction() {
        T value;
        try {
            value = function.call(context);
        } catch (Throwable e) {
            end();
            completeExceptionally(e);
            return;
        }
        end();
        complete(value);
    }

    private void end() {
        running.end();
        if (counted != null) {
            synchronized (counted) {
                counts = false;
                counted.count--;
                counted.notifyAll();
            }
        }
    }

    private synchronized boolean begins() {
        boolean first = !begun;
        if (first) {
            begun = true;
            running.begin();
            if (counted != null) {
                synchronized (counted) {
                    counts = true;
                    counted.count++;
                }
            }
        }
        return first;
    }

    /** Interrupts the function, or keeps it from beginning. */
    @Override
    public boolean cancel(boolean mayInterrupt) {
        synchronized (this) {
            if (running.interrupt()) {
                return true;
            }
            if (begun) {
                return false;
            }
            begun = true;
        }
        return super.cancel(mayInterrupt);
    }

    /** Describes where the function is, for messages. No lock is held while the thread, a driver's, is described. */
    String whereabouts() {
        Thread thread = running.thread();
        return thread == null ? withoutThread() : "runs on thread " + thread;
    }

    private synchronized String withoutThread() {
        return begun ? "is about to end" : "was given to its driver, which has not begun it";
    }
}
