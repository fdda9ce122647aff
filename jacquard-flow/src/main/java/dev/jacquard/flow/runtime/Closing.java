package dev.jacquard.flow.runtime;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The close of a run, which one call does, and others wait for. A call that is refused leaves it to the next one.
 *
 * <p>Threads: any.
 */
final class Closing {
    /** The thread that closes the run, or has closed it; null before, and after a call that was refused. */
    private final AtomicReference<@Nullable Thread> closer = new AtomicReference<>();
    /** Set once, by that thread; volatile for the threads that wait for it. */
    private volatile boolean over;

    /** Returns true for the first call and for one after a call that was refused: its thread is to close the run. */
    boolean begin() {
        return closer.compareAndSet(null, Thread.currentThread());
    }

    /** Returns true if the calling thread is at it, and has come here by an allocator. */
    boolean isHere() {
        return !over && closer.get() == Thread.currentThread();
    }

    /** Records that the close by the calling thread is over, in whichever way, unless it was refused. */
    void end() {
        if (closer.get() == Thread.currentThread()) {
            over = true;
        }
    }

    /** Leaves the close to another call, since that of the calling thread, if it is at it, is refused. */
    void refuse() {
        boolean _ = closer.compareAndSet(Thread.currentThread(), null);
    }

    /** Returns true if no call is at it: the close is over, or was refused. */
    boolean isIdle() {
        return over || closer.get() == null;
    }

    boolean isOver() {
        return over;
    }
}
