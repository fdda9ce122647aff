package dev.jacquard.components.program;

import dev.jacquard.base.failure.Suppressed;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;

/**
 * Asks a running component to stop: it polls with {@link #check}, or registers an action that stops its work.
 * Thread-safe; once cancelled it stays so.
 */
public final class Cancellation {
    private final Object lock = new Object();
    private final Set<Action> actions = new LinkedHashSet<>(); // guarded by lock
    private volatile boolean cancelled;

    /** An action that runs when the stop is asked for, until it is closed. Thread-safe. */
    public interface Registration extends AutoCloseable {
        /** Takes the action back. One that has begun goes on. */
        @Override
        void close();
    }

    /** An action; each is another one, though they may do the same. */
    private final class Action implements Registration {
        private final Runnable its;

        Action(Runnable its) {
            this.its = its;
        }

        @Override
        public void close() {
            synchronized (lock) {
                actions.remove(this);
            }
        }
    }

    /** Not cancelled yet. */
    public Cancellation() {}

    /**
     * Asks for the stop, running the registered actions in the calling thread the first time. All of them run, also
     * after one that throws; the first exception comes out of this call, with later ones suppressed.
     */
    public void cancel() {
        List<Action> now;
        synchronized (lock) {
            cancelled = true;
            now = List.copyOf(actions);
            actions.clear();
        }
        run(now.iterator());
    }

    private static void run(Iterator<Action> actions) {
        while (actions.hasNext()) {
            try {
                actions.next().its.run();
            } catch (RuntimeException | Error e) {
                runBehind(actions, e);
                throw e;
            }
        }
    }

    private static void runBehind(Iterator<Action> actions, Throwable first) {
        while (actions.hasNext()) {
            try {
                actions.next().its.run();
            } catch (RuntimeException | Error e) {
                Suppressed.add(first, e);
            }
        }
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

    /**
     * Runs {@code action} when the stop is asked for; at once if it was already. The action must not block. It is kept
     * until the returned registration is closed: work that is done again and again closes it when it is over.
     */
    public Registration onCancel(Runnable action) {
        Action registered = new Action(action);
        synchronized (lock) {
            if (!cancelled) {
                actions.add(registered);
                return registered;
            }
        }
        action.run();
        return registered;
    }
}
