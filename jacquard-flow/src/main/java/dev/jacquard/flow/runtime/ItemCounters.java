package dev.jacquard.flow.runtime;

/**
 * Counts and times of a stage, or what one activation adds to them.
 *
 * <p>Threads: the counters of a copy are confined to its activation; those of a stage are guarded by the stage.
 */
final class ItemCounters {
    long executed;
    long failed;
    long cancelled;
    long computeNanos;
    long waitNanos;
    /** The number of emitted items, per outlet. */
    final long[] emitted;

    ItemCounters(int outlets) {
        emitted = new long[outlets];
    }

    /** Adds {@code part} to this, and resets {@code part} to 0. */
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
