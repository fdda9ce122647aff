package dev.jacquard.engine.work;

import java.util.function.BooleanSupplier;

/**
 * A flag for which a thread waits until another raises it; see {@link Dispatcher#awaitFlag}. A class with a field,
 * since a worker looks at it between any two parts of a node, and a call by an interface would take longer than the
 * rest.
 *
 * <p>Threads: any.
 */
public class WaitFlag implements BooleanSupplier {
    /** Written by the thread that ends the wait, read by the thread that waits. */
    private volatile boolean up;

    /** A flag that is up, or not yet. */
    public WaitFlag(boolean isUp) {
        up = isUp;
    }

    /** Returns true if the wait of the thread is over. */
    public final boolean isUp() {
        return up;
    }

    /** {@inheritDoc} The same as {@link #isUp}. */
    @Override
    public final boolean getAsBoolean() {
        return up;
    }

    /** Raises or lowers the flag. Earlier actions of its writer are seen by a thread that has seen the change. */
    public final void set(boolean isUp) {
        up = isUp;
    }
}
