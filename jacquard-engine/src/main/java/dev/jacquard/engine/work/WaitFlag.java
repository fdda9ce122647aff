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
    /** Written by those who bring about what is waited for, read by the thread that waits. */
    private volatile boolean up;

    /** A flag that is up, or not yet. */
    public WaitFlag(boolean isUp) {
        up = isUp;
    }

    /** Returns true if what the thread waits for has come. */
    public final boolean isUp() {
        return up;
    }

    /** {@inheritDoc} The same as {@link #isUp}. */
    @Override
    public final boolean getAsBoolean() {
        return up;
    }

    /** Raises or lowers the flag. What its writer did before is seen by a thread that has seen the change. */
    public final void set(boolean isUp) {
        up = isUp;
    }
}
