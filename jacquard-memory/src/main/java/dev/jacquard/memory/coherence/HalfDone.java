package dev.jacquard.memory.coherence;

import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.base.concurrent.Threads;
import java.util.function.BooleanSupplier;

/**
 * The note of work that broke off half way, for want of stack or memory: a copy that was decided but not enqueued, say.
 * From then on copies and claims may never be over, and no wait is for them any more.
 *
 * <p>Threads: any.
 */
final class HalfDone extends Breakage {
    /** The time between looks at the notes: a thread that makes one may have no stack left to notify others. */
    private static final long LOOK_MILLIS = 100;

    /** The same of the graphs. Written before the first task. */
    private Breakage graphs = this;

    /** Says if all that was begun is over. Written before the first task. */
    private BooleanSupplier idle = () -> true;

    /** Sets where the graphs note work that broke off there. Before the first task. */
    void with(Breakage its) {
        graphs = its;
    }

    /** Sets the function that returns true if all that was begun is over. Before the first task. */
    void idleWhen(BooleanSupplier its) {
        idle = its;
    }

    /** Runs the body of a thread: if the thread ends by an error or exception, the rest of its work stays undone. */
    void watch(Runnable body) {
        try {
            body.run();
        } catch (Throwable e) {
            by = e;
            throw e;
        }
    }

    /**
     * Waits in {@code monitor}, which the thread holds, also when interrupted, until {@code holds}, or it may never.
     */
    void await(Object monitor, BooleanSupplier holds) {
        Threads.await(monitor, LOOK_MILLIS, () -> holds.getAsBoolean() || isStuck());
    }

    private boolean isStuck() {
        return (by != null || graphs.by != null) && idle.getAsBoolean();
    }
}
