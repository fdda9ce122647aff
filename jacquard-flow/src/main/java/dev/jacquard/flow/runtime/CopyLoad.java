package dev.jacquard.flow.runtime;

/**
 * The items that a copy of a routed task has taken and not ended, and when the copy is expected to be free.
 *
 * <p>The time of an item begins when the copy takes it, or when the item before it ended if that is later, and ends
 * with the item, its engine tasks included. So the times of items that overlap on a device add up to the time of all.
 *
 * <p>Threads: guarded by the stage.
 */
final class CopyLoad {
    /** The index of the target. */
    final int target;

    /** True if the copy takes no items any more: its device is lost, or it has shut down. */
    boolean isOut;
    /** True if a plan looks for an item of this copy. */
    boolean isAsked;
    /** In a plan, the time until the copy is free. */
    double freeIn;

    /** The expected time of the items that were taken and have not ended. */
    private double expected;
    /** Their number. */
    private int underWay;
    /** The begin of the time of the first of these items. */
    private long since;
    /** The time at which the body began to wait for a buffer, if it waits. */
    private long waitsSince;

    private boolean waits;
    private double sumNanos;
    private long measured;

    CopyLoad(int target) {
        this.target = target;
    }

    /**
     * An item that a copy has taken.
     *
     * @param expected the expected time of the item, in nanoseconds
     * @param from the time at which the copy took it
     */
    record Taken(int magnitude, double expected, long from) {}

    /** Returns true if the copy has no item. */
    boolean isFree() {
        return underWay == 0;
    }

    /**
     * Returns the expected time until the copy is free. An item that takes longer than expected is expected to take as
     * long again as it is late.
     */
    double remaining(long now) {
        if (underWay == 0) {
            return 0;
        }
        if (waits) {
            return Double.POSITIVE_INFINITY;
        }
        double first = expected / underWay;
        double elapsed = Math.max(0, now - since);
        return expected - first + Math.abs(first - elapsed);
    }

    Taken take(int magnitude, double nanos, long now) {
        if (underWay == 0) {
            since = now;
        }
        underWay++;
        expected += nanos;
        return new Taken(magnitude, nanos, now);
    }

    /** Records the end of an item; returns its time. An item that failed does not count in {@link #meanNanos}. */
    double end(Taken item, long now, boolean well) {
        double nanos = Math.max(0, now - Math.max(item.from, since));
        underWay--;
        expected = underWay == 0 ? 0 : expected - item.expected;
        since = now;
        if (well) {
            sumNanos += nanos;
            measured++;
        }
        return nanos;
    }

    /** Records that the body begins to wait for a buffer. */
    void waits(long now) {
        waits = true;
        waitsSince = now;
    }

    /** Records that the body goes on. The time of the wait is no item's. */
    void goesOn(long now) {
        if (waits) {
            waits = false;
            since = now - Math.max(0, waitsSince - since);
        }
    }

    /** Returns the mean time of the items that ended well, in nanoseconds; 0 if there is none. */
    long meanNanos() {
        return measured == 0 ? 0 : Math.round(sumNanos / measured);
    }
}
