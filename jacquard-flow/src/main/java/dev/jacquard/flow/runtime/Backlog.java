package dev.jacquard.flow.runtime;

import dev.jacquard.base.concurrent.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The number of items that wait at a stage, as others see it.
 *
 * <p>Threads: {@link #set}, {@link #note} and {@link #largest} are called under the lock of the stage, {@link #get} by
 * any thread.
 */
final class Backlog {
    private static final VarHandle WAITING = Fields.handle(MethodHandles.lookup(), "waiting", int.class);

    /** Opaque, written before inboxes are freed. */
    @SuppressWarnings("UnusedVariable") // read and written through WAITING
    private int waiting;

    private long largest;

    void set(int size) {
        WAITING.setOpaque(this, size);
        note(size);
    }

    /** Notes a number for {@link #largest} alone. */
    void note(int size) {
        largest = Math.max(largest, size);
    }

    int get() {
        return (int) WAITING.getOpaque(this);
    }

    /** Returns the largest number so far. */
    long largest() {
        return largest;
    }
}
