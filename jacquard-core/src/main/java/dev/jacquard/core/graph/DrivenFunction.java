package dev.jacquard.core.graph;

import dev.jacquard.engine.work.ThreadFunctions;
import dev.jacquard.engine.work.ThreadFunctions.Pausable;
import dev.jacquard.memory.access.AccessList;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The stage of a task whose function a driver runs beside the workers. The stage completes when the function has ended,
 * and not before: until then the function may touch what the task accesses.
 *
 * <p>{@link #cancel} interrupts the thread while the function itself runs, and not while the thread runs other bodies
 * inside the function's submissions and waits. A function that has not begun is kept from beginning.
 *
 * <p>Threads: run by the driver, cancelled by any; guarded by its own monitor.
 */
final class DrivenFunction<T extends @Nullable Object> extends CompletableFuture<T> implements Runnable, Pausable {
    private final TaskContext context;
    private final TaskFunction<? extends T> function;

    /** Set when the function begins, or must not begin any more. Guarded by the monitor. */
    private boolean begun;
    /** The thread that runs the function; null before and after. Guarded by the monitor. */
    private @Nullable Thread thread;
    /** True once {@link #cancel} has interrupted the thread, or is to. Guarded by the monitor. */
    private boolean interrupted;
    /** True while other bodies run on the thread, inside the function. Guarded by the monitor. */
    private boolean paused;
    /** True if an interrupt is to be delivered when the function goes on. Guarded by the monitor. */
    private boolean due;
    /** The function that the thread runs around this one; null for none. Confined to that thread. */
    private @Nullable DrivenFunction<?> around;

    DrivenFunction(TaskContext context, TaskFunction<? extends T> function) {
        this.context = context;
        this.function = function;
    }

    /** Returns the innermost function that the calling thread runs; null if it runs none. */
    private static @Nullable DrivenFunction<?> innermost() {
        return (DrivenFunction<?>) ThreadFunctions.innermost(); // there are no others
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
     * or for what waits for that.
     *
     * @param around the task inside which {@code what} is submitted; null for none
     */
    static void requireNoneInTheWay(String what, @Nullable TaskNode around, AccessList declared) {
        if (innermost() != null) {
            refuse(what, ownTask(own -> HeldUp.wouldBe(own, around, declared)));
        }
    }

    private static void refuse(String what, @Nullable TaskNode own) {
        if (own != null) {
            throw new IllegalStateException("the function of task \"" + own.name() + "\" must not wait for " + what
                    + ": that would wait for the task itself, which is over only when its function has ended;"
                    + " return a stage from start(...), let what comes next be a task that comes after(...) this one,"
                    + " or leave it to ctx.afterwards(...)");
        }
    }

    /**
     * Returns the innermost live task that passes {@code which} and whose function the calling thread runs; null for
     * none.
     */
    static @Nullable TaskNode ownTask(Predicate<TaskNode> which) {
        for (DrivenFunction<?> its = innermost(); its != null; its = its.around) {
            if (its.context instanceof TaskNode task
                    && !task.isOver()
                    && which.test(task)) { // over when it was abandoned
                return task;
            }
        }
        return null;
    }

    // ---- interrupts

    @Override
    public void run() {
        if (!begins()) {
            return;
        }
        around = innermost();
        ThreadFunctions.innermost(this);
        T value;
        try {
            value = function.call(context);
        } catch (Throwable e) {
            ends();
            completeExceptionally(e);
            return;
        }
        ends();
        complete(value);
    }

    private synchronized boolean begins() {
        boolean first = !begun;
        if (first) {
            begun = true;
            thread = Thread.currentThread();
        }
        return first;
    }

    private synchronized void ends() {
        ThreadFunctions.innermost(around);
        around = null;
        thread = null;
        if (interrupted) {
            Thread.interrupted(); // meant for the function, and not for what the driver runs next
        }
    }

    @Override
    public synchronized boolean pause() {
        boolean goesOn = !paused;
        paused = true;
        return goesOn;
    }

    @Override
    public synchronized void goOn() {
        paused = false;
        if (due && thread != null) {
            due = false;
            thread.interrupt();
        }
    }

    /** Interrupts the function, or keeps it from beginning. */
    @Override
    public boolean cancel(boolean mayInterrupt) {
        synchronized (this) {
            if (thread != null) {
                interrupted = true;
                due = paused;
                if (!paused) {
                    thread.interrupt();
                }
                return true;
            }
            if (begun) {
                return false;
            }
            begun = true;
        }
        return super.cancel(mayInterrupt);
    }

    /** Describes where the function is, for messages. */
    synchronized String whereabouts() {
        if (thread == null) {
            return begun ? "is about to end" : "was given to its driver, which has not begun it";
        }
        return "runs on thread " + thread;
    }
}
