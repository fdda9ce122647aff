package dev.jacquard.memory.coherence;

import dev.jacquard.base.machine.Place;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.base.trace.TraceLane;
import dev.jacquard.memory.cache.CachePolicy;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.Device.PinnedMemory;
import dev.jacquard.memory.device.DeviceLostException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A memory in which replicas live, and the account of each byte in it. A new kind of memory is one subclass and the
 * line in {@link Store} that makes it: the rest of the package asks a space by methods only.
 *
 * <p>Fields that are not final, and all methods, are guarded by the lock of the {@link Coherence}; but paths move bytes
 * without the lock.
 */
abstract class Space {
    final String name;
    /** The number of bytes that replicas may take. */
    final long limit;
    /** True if tasks can use a part of a larger replica where the replica lies. */
    final boolean usesParts;
    /** The distance from computation: a replica that is evicted is written to a space of a higher level. */
    final int level;

    /** The claims that wait for replicas: first come, first served. */
    final Deque<ReplicaClaim> line = new ArrayDeque<>();
    /** The number of claims that may have replicas at a time, of the claims that had to bring something. */
    final int mostClaims;
    /** Written before the first task. */
    private @Nullable EvictionSet residents;
    /** The index among all spaces. Written before the first task. */
    int number;

    /** The number of claims that count against {@link #mostClaims}. */
    int claims;

    /** The number of bytes that replicas take. */
    long used;
    /** The number of these bytes in replicas that go when they have been written elsewhere. */
    long leaving;
    /** True while room is made and replicas that live tasks are to access stay. */
    boolean sparing;
    /** The number of replicas that have made room. */
    long evictions;
    /** The greatest value of {@link #used} so far. */
    long peak;
    /** The failure after which nothing is written back to here; null when none has, or another task has come since. */
    @Nullable
    Throwable failure;

    /** The number of tasks that run there at a time. Written before the first task. */
    int lanes = 1;
    /** The tasks that were sent to its device, or the kernels that were sent to the host, and are not over. */
    int tasks;
    /** The time that these tasks are expected to take, in nanoseconds. */
    double queuedNanos;
    /** The time that all tasks which are over were expected to take, in nanoseconds. */
    double doneNanos;
    /** The end of the last kernel, by the session's clock. */
    long computedUntil;
    /** The lane of the kernels of its device; null before the first one, and where nothing is traced. */
    private @Nullable TraceLane lane;
    /** Finds the parts that tasks here are to access. */
    final Predicate<Want> isWantedHere = want -> want.space == this;
    /** The tasks for which something could be brought before they are ready. */
    final Prefetcher.Queue queue = new Prefetcher.Queue();
    /**
     * The failure that took its device out of service; null while the device is in service. Written once, under the
     * lock; volatile, since places are chosen without it.
     */
    @Nullable
    volatile DeviceLostException lost;

    /** Returns the lane of the kernels of its device. */
    TraceLane lane(Trace trace) {
        TraceLane known = lane;
        if (known == null) {
            known = trace.lane(name + " kernels");
            lane = known;
        }
        return known;
    }

    Space(String name, long limit, boolean usesParts, int level, int mostClaims) {
        this.mostClaims = mostClaims;
        this.name = name;
        this.limit = limit;
        this.usesParts = usesParts;
        this.level = level;
    }

    // ---- memory

    /** Returns the layout of a replica for {@code need}: without gaps, where the space says nothing else. */
    Layout layout(DataNeed need) {
        return need.data().layout().packed(need.box());
    }

    /** Returns the bytes of that layout; 0 for a need that is given up. Allocates nothing. */
    long bytes(DataNeed need) {
        return need.bytes();
    }

    /** Returns memory for a layout; its bytes fit and are accounted for after the call. */
    abstract Object allocate(Layout layout);

    /** Gives back memory from {@link #allocate}. */
    abstract void free(Object memory);

    /** Ends the use of the space. Without the lock: waits for threads. */
    abstract void close();

    /** Returns the size of the largest replica that can be made whatever is free, in bytes. */
    long largest() {
        return Long.MAX_VALUE;
    }

    // ---- transfers

    /** Returns the path from host memory to here. */
    abstract TransferPath fromHost();

    /** Returns the path from here to host memory. */
    abstract TransferPath toHost();

    /** Returns the path from {@code other} to here; null when bytes have to pass through a replica on the host. */
    @Nullable
    TransferPath pathFrom(Space other) {
        return null;
    }

    /** Returns the path from here to {@code other}; null when bytes have to pass through a replica on the host. */
    @Nullable
    TransferPath pathTo(Space other) {
        return other.pathFrom(this);
    }

    /** Returns true if no thread has anything to do for a path. Without the lock. */
    boolean isIdle() {
        return true;
    }

    /** Returns true if the paths find damaged bytes themselves. */
    boolean isChecked() {
        return false;
    }

    /** Lends host memory that the paths to and from here reach. Any thread. */
    PinnedMemory staging(long bytes) {
        Arena arena = Arena.ofShared();
        MemorySegment segment = arena.allocate(bytes);
        return new PinnedMemory() {
            @Override
            public MemorySegment segment() {
                return segment;
            }

            @Override
            public void close() {
                arena.close();
            }
        };
    }

    /** Notes that a replica could not be written back to here. */
    void failed(Throwable error) {
        failure = error;
    }

    // ---- tasks

    /** Returns the place of the tasks that have their data here. */
    Place place() {
        return Place.HOST;
    }

    /** Returns the device that runs the tasks with their data here; null where workers run them, or no task can. */
    @Nullable
    Device device() {
        return null;
    }

    /** Returns the queue in which kernels are enqueued. */
    TransferQueue kernels() {
        throw new IllegalStateException(name + " runs no kernels");
    }

    /** Returns true if the data that tasks read is brought here before they are ready. */
    boolean prefetches() {
        return false;
    }

    /** Returns true if tasks that add to the same part run one after the other, though they share a replica. */
    boolean addsInTurn() {
        return false;
    }

    // ---- account

    /** Lets replicas leave as {@code policy} says from now on. */
    final void obey(CachePolicy policy) {
        residents = new EvictionSet(policy, this);
    }

    final EvictionSet residents() {
        return Objects.requireNonNull(residents);
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
