package dev.jacquard.flow.runtime;

/**
 * Counts of items, and times, of a copy or of a stage, or the additions of one activation.
 *
 * <p>Threads: the additions of an activation are confined to it; all others are guarded by the stage.
 */
final class ItemCounters {
    long executed;
    long failed;
    long cancelled;
    /** The number of items whose failure was handed to the task's error handler. */
    long dropped;

    /** The time at work: in the body, and in locks on the way of its items. */
    long workNanos;
    /** The part of {@link #workNanos} in activations that measured their locks. */
    long timedNanos;
    /** The part of {@link #timedNanos} in locks. */
    long timedLockNanos;
    /** The time without an item, while no item of the stage waited for buffers. */
    long waitNanos;
    /** The time without an item, while items of the stage waited for buffers, or in a body that waited for one. */
    long memoryNanos;

    /** Returns the part of the time at work in locks: the share that the measured activations had. */
    long lockNanos() {
        return timedNanos == 0
                ? 0
                : Math.min(workNanos, Math.round(workNanos * (timedLockNanos / (double) timedNanos)));
    }

    /** Returns the rest of the time at work. */
    long computeNanos() {
        return workNanos - lockNanos();
    }

    /** Adds {@code part} to this, and resets {@code part} to 0. */
    void absorb(ItemCounters part) {
        add(part, 1);
        part.add(part, -1);
    }

    void add(ItemCounters part) {
        add(part, 1);
    }

    ItemCounters copy() {
        ItemCounters copy = new ItemCounters();
        copy.add(this, 1);
        return copy;
    }

    private void add(ItemCounters part, int sign) {
        executed += sign * part.executed;
        failed += sign * part.failed;
        cancelled += sign * part.cancelled;
        dropped += sign * part.dropped;
        workNanos += sign * part.workNanos;
        timedNanos += sign * part.timedNanos;
        timedLockNanos += sign * part.timedLockNanos;
        waitNanos += sign * part.waitNanos;
        memoryNanos += sign * part.memoryNanos;
    }
}
