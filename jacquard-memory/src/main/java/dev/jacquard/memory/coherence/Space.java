package dev.jacquard.memory.coherence;

import dev.jacquard.memory.cache.CachePolicy;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceLostException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where replicas live: host memory, a device's, a file. Accounts for every byte.
 *
 * <p>What is not constant is guarded by the lock of the {@link Coherence}.
 */
abstract class Space {
    final String name;
    /** In bytes. */
    final long limit;
    /** Whether tasks can use a part of a larger replica where it lies. */
    final boolean usesParts;
    /** The higher the farther from where computation is: what is evicted goes up. */
    final int level;

    /** Those without replicas: first come, first served. */
    final Deque<ReplicaClaim> line = new ArrayDeque<>();
    /** How many leases that had to bring something may have replicas at a time. */
    final int mostLeases;
    /** Written before the first task. */
    private @Nullable EvictionSet residents;

    /** How many have. */
    int leases;

    long used;
    /** How much of that is on its way out. */
    long leaving;
    /** What live tasks are to access does not go, while room is made. */
    boolean sparing;
    /** How many replicas had to make room. */
    long evictions;

    long peak;

    /** The tasks that were sent to its device and are not over. */
    int tasks;
    /** The time that these tasks are expected to take, in nanoseconds. */
    double queuedNanos;
    /** The time that all tasks which are over were expected to take, in nanoseconds. */
    double doneNanos;
    /** The end of the last kernel, by the session's clock. */
    long computedUntil;
    /** The failure that took its device out of service; null while the device is in service. */
    @Nullable
    DeviceLostException lost;

    Space(String name, long limit, boolean usesParts, int level, int mostLeases) {
        this.mostLeases = mostLeases;
        this.name = name;
        this.limit = limit;
        this.usesParts = usesParts;
        this.level = level;
    }

    /** From now on replicas leave it as {@code policy} says. */
    final void obey(CachePolicy policy) {
        residents = new EvictionSet(policy, this);
    }

    final EvictionSet residents() {
        return Objects.requireNonNull(residents);
    }

    /** Memory for so many bytes, which were accounted for. */
    abstract Object allocate(Layout layout);

    /** Gives it back. */
    abstract void free(Object memory);

    /** Returns the size of the largest replica that can be made whatever is free, in bytes. */
    long largest() {
        return Long.MAX_VALUE;
    }

    /** Returns the device that runs the tasks whose data is here; null where workers run them, or no task can. */
    @Nullable
    Device device() {
        return null;
    }

    final void take(long bytes) {
        used += bytes;
        peak = Math.max(peak, used);
    }

    @Override
    public String toString() {
        return name;
    }
}
