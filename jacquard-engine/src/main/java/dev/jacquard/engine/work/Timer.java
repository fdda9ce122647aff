package dev.jacquard.engine.work;

/** An action that is to run later, once; see {@link Dispatcher#schedule}. Threads: may be cancelled by any thread. */
@FunctionalInterface
public interface Timer {
    /** Keeps the action from running. Whether this call did so: false when it has begun, or was cancelled before. */
    boolean cancel();
}
