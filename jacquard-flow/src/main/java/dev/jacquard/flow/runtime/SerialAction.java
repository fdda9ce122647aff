package dev.jacquard.flow.runtime;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An action that is run again after each request, by one thread at a time, on threads of an executor. Requests that
 * come while it runs lead to one more run, so a request from inside of the action does not recurse. No thread waits.
 *
 * <p>Threads: {@link #ask} is called by any thread. The action sees all writes before the requests that led to it, and
 * those of its last run.
 */
final class SerialAction implements Runnable {
    private final Executor executor;
    private final Runnable action;
    /** The number of requests since the action was last run without another one; the executor has this if not 0. */
    private final AtomicInteger asked = new AtomicInteger();

    SerialAction(Executor executor, Runnable action) {
        this.executor = executor;
        this.action = action;
    }

    /** Requests a run that begins after this call. */
    void ask() {
        if (asked.getAndIncrement() == 0) {
            executor.execute(this);
        }
    }

    @Override
    public void run() {
        int seen = asked.get();
        while (seen != 0) {
            boolean well = false;
            try {
                action.run();
                well = true;
            } finally {
                if (!well) {
                    asked.set(0); // a later request runs it again
                }
            }
            seen = asked.addAndGet(-seen);
        }
    }
}
