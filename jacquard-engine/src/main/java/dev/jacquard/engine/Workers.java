package dev.jacquard.engine;

import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.engine.work.Dispatcher;

/**
 * The engine as a front sees it: it runs nodes, waits while it helps, and makes the few threads that block.
 *
 * <p>Threads: every method may be called by any thread.
 */
public interface Workers extends Dispatcher {
    /**
     * Starts a dedicated thread for work that blocks.
     *
     * @param name for thread dumps and traces
     * @param body code of the thread; its exception is logged, so the body keeps its own failures
     */
    Thread dedicated(String name, Runnable body);

    /**
     * Runs {@code action} once, when that much time has passed on the session's clock, on a {@linkplain #background
     * background} thread: an action that takes long delays no other. Its exception is logged. No action begins after
     * the session's end.
     *
     * @param nanosFromNow 0 or less: as soon as possible
     */
    default Timer schedule(long nanosFromNow, Runnable action) {
        return scheduleOnTimer(nanosFromNow, () -> runUserCode(action));
    }

    /**
     * Runs {@code action} on a virtual thread, as a driver for thousands of functions that wait at the same time, each
     * of which would hold a platform thread in the {@linkplain #background background}. The JVM runs all virtual
     * threads on about as many platform threads as there are processors: an action that computes, or blocks in native
     * code, holds one of these, and the others wait. The exception of an action is logged. No thread waits for it.
     */
    default void virtualThread(Runnable action) {
        throw new UnsupportedOperationException("no virtual threads here");
    }

    /**
     * Where a front notes that it broke off half way: every wait throws that, and so does a thread that waits already
     * once it looks, for which {@link #fail} is to be called where the stack has room for it. Constant.
     */
    Breakage broken();

    /**
     * Returns true if the stall watch threw this out of a wait, which has ended for no other reason: the consumer that
     * hears of stalls may throw anything.
     */
    default boolean stallWatchThrew(Throwable its) {
        return false;
    }
}
