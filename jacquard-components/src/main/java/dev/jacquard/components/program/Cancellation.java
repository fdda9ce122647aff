package dev.jacquard.components.program;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

/**
 * Asks a running component to stop: it polls with {@link #check}, or registers what stops its work. Thread-safe; once
 * cancelled it stays so.
 */
public final class Cancellation {
    private final Object lock = new Object();
    private final List<Runnable> actions = new ArrayList<>(); // guarded by lock
    private volatile boolean cancelled;

    /** Not cancelled yet. */
    public Cancellation() {}

    /** Asks for the stop, running the registered actions in the calling thread the first time. */
    public void cancel() {
        List<Runnable> now;
        synchronized (lock) {
            cancelled = true;
            now = List.copyOf(actions);
            actions.clear();
        }
        now.forEach(Runnable::run);
    }

    /** Returns true if the stop was asked for. */
    public boolean isCancelled() {
        return cancelled;
    }

    /** Throws {@link CancellationException} if the stop was asked for. */
    public void check() {
        if (cancelled) {
            throw new CancellationException("cancelled");
        }
    }

    /** Runs {@code action} when the stop is asked for; at once if it was already. The action must not block. */
    public void onCancel(Runnable action) {
        synchronized (lock) {
            if (!cancelled) {
                actions.add(action);
                return;
            }
        }
        action.run();
    }
}
