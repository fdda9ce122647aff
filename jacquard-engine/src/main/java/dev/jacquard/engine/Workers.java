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
     * Starts a thread of its own for work that blocks.
     *
     * @param name for thread dumps and traces
     * @param body what it runs; what it throws is logged, so the body keeps its own failures
     */
    Thread dedicated(String name, Runnable body);

    /**
     * Where a front notes that it broke off half way: every wait throws that, and so does a thread that waits already
     * once it looks, for which {@link #fail} is to be called where the stack has room for it. Constant.
     */
    Breakage broken();

    /**
     * Returns true if the stall watch threw this out of a wait, which has ended for no reason of its own: the consumer
     * that hears of stalls may throw anything.
     */
    default boolean stallWatchThrew(Throwable its) {
        return false;
    }
}
