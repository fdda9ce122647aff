package dev.jacquard.flow.runtime;

/**
 * Counts and times of a stage, or the additions of one activation.
 *
 * <p>Threads: the counters of a copy are confined to its activation; the counters of a stage are guarded by the stage.
 */
final class ItemCounters {
    long executed;
    long failed;
    long cancelled;
    /** The number of items whose failure was handed to the task's error handler. */
    long dropped;

    long computeNanos;
    long waitNanos;
    /** The number of emitted items, per outlet. */
    final long[] emitted;

    ItemCounters(int outlets) {
        emitted = new long[outlets];
    }

    /** Adds {@code part} to this, and resets {@code part} to 0. */
    void absorb(ItemCounters part) {
        add(part, 1);
        part.add(part, -1);
    }

    ItemCounters copy() {
        ItemCounters copy = new ItemCounters(emitted.length);
        copy.add(this, 1);
        return copy;
    }

    private void add(ItemCounters part, int sign) {
        executed += sign * part.executed;
        failed += sign * part.failed;
        cancelled += sign * part.cancelled;
        dropped += sign * part.dropped;
        computeNanos += sign * part.computeNanos;
        waitNanos += sign * part.waitNanos;
        for (int i = 0; i < emitted.length; i++) {
            emitted[i] += sign * part.emitted[i];
        }
    }
}
