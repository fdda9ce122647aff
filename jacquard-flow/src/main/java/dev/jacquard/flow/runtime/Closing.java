package dev.jacquard.flow.runtime;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The close of a run, which one call does, and others wait for.
 *
 * <p>Threads: any.
 */
final class Closing {
    /** Set once. */
    private final AtomicReference<@Nullable Thread> closer = new AtomicReference<>();
    /** Set once, by that thread; volatile for those that wait for it. */
    private volatile boolean over;

    /** Returns true for the first call, whose thread is to close the run. */
    boolean begin() {
        return closer.compareAndSet(null, Thread.currentThread());
    }

    /** Returns true if the calling thread is at it, and has come here by an allocator. */
    boolean isHere() {
        return !over && closer.get() == Thread.currentThread();
    }

    /** Records that the close is over, in whichever way. */
    void end() {
        over = true;
    }

    boolean isOver() {
        return over;
    }
}
