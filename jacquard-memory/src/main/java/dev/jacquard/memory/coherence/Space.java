package dev.jacquard.memory.coherence;

import dev.jacquard.memory.cache.CachePolicy;
import dev.jacquard.memory.data.Layout;
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

    /** Why nothing can be there any more; null while it can. */
    @Nullable
    DeviceLostException lost() {
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
