package dev.jacquard.base.machine;

import org.jspecify.annotations.Nullable;

/**
 * Binds threads to processors, which the Java platform cannot. Found as a service: {@code jacquard-devices} has one for
 * Linux.
 *
 * <p>Threads: each method may be called by any thread.
 */
public interface ThreadBinding {
    /** Returns why threads cannot be bound on this machine; null when they can. */
    @Nullable
    String missing();

    /**
     * Lets the calling thread run on one processor only: of the processors on which it may run now, the one with that
     * number, counted from 0, modulo their count. Threads that it starts while bound inherit that.
     *
     * @return an action that lets the thread run where it might before; to be called by the same thread
     * @throws IllegalStateException when the operating system refuses
     */
    Runnable bind(int number);
}
