package dev.jacquard.core.graph;

/**
 * The number of functions that drivers run for the tasks of a domain, other than abandoned ones. A run that ends early
 * has no thread that learns of their end, and they may touch what their tasks access until then.
 *
 * <p>Threads: any; guarded by the monitor.
 */
final class RunningFunctions {
    private int count;

    synchronized void begin() {
        count++;
    }

    synchronized void end() {
        count--;
        if (count == 0) {
            notifyAll();
        }
    }

    /** Waits until none runs. An interrupt does not end the wait; the thread stays interrupted. */
    void awaitNone() {
        boolean interrupted = false;
        synchronized (this) {
            while (count > 0) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
