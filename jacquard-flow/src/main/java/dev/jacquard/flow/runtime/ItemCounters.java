package dev.jacquard.flow.runtime;

/**
 * Counts and times of a stage, or what one activation adds to them.
 *
 * <p>Threads: a copy's is confined to its activation, a stage's is guarded by the stage.
 */
final class ItemCounters {
    long executed;
    long failed;
    long cancelled;
    long computeNanos;
    long waitNanos;
    /** Per outlet. */
    final long[] emitted;

    ItemCounters(int outlets) {
        emitted = new long[outlets];
    }

    /** Adds {@code part} and empties it. */
    void absorb(ItemCounters part) {
        executed += part.executed;
        failed += part.failed;
        cancelled += part.cancelled;
        computeNanos += part.computeNanos;
        waitNanos += part.waitNanos;
        for (int i = 0; i < emitted.length; i++) {
            emitted[i] += part.emitted[i];
            part.emitted[i] = 0;
        }
        part.executed = 0;
        part.failed = 0;
        part.cancelled = 0;
        part.computeNanos = 0;
        part.waitNanos = 0;
    }
}
