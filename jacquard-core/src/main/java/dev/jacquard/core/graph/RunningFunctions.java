package dev.jacquard.core.graph;

import dev.jacquard.base.concurrent.Threads;

/**
 * The number of functions that drivers run for the tasks of a domain, other than abandoned ones. A run that ends early
 * has no thread that learns of their end, and they may touch the resources of their tasks until then.
 *
 * <p>Threads: any; guarded by the monitor.
 */
final class RunningFunctions {
    /** For the wait to see an end that is not notified, since the stack of its thread is full. */
    private static final long LOOK_AGAIN_MILLIS = 20;

    /** Also written by a {@link DrivenFunction} that has no stack left for a call. Guarded by the monitor. */
    int count;

    /** Waits until none runs. An interrupt does not end the wait; the thread stays interrupted. */
    synchronized void awaitNone() {
        Threads.await(this, LOOK_AGAIN_MILLIS, () -> count == 0);
    }
}
