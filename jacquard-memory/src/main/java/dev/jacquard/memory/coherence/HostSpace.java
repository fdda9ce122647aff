package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.Device.PinnedMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Host memory off the heap, aligned to cache lines, and page-locked where a device's driver can do that. Memory that is
 * given back is kept for a replica of the same size, up to the limit: memory from the system costs a page fault per
 * page, and its return a handshake with all threads.
 *
 * <p>All of some data that has no home lies here as its own layout says, gaps included; parts lie without gaps, and so
 * do copies of data that has a home.
 */
final class HostSpace extends Space {
    /**
     * The bytes from which memory is page-locked. Copies of it are some times as fast then, and locking takes a tenth
     * of the time of making the memory; the driver's calls, and its notes of each block, do not pay for small ones.
     */
    private static final long PINNED_FROM = 1 << 20;

    private final KeptMemory<Block> kept = new KeptMemory<>(Block::close);
    /** The devices that are asked to lock memory, in turn. */
    private final List<Device> devices;

    private record Block(
            Arena arena, MemorySegment segment, @Nullable PinnedMemory pinned) {
        void close() {
            if (pinned != null) {
                pinned.close();
            }
            arena.close();
        }
    }

    /** The blocks in use, by address. */
    private final Map<Long, Block> inUse = new HashMap<>();

    HostSpace(long limit, Collection<Device> devices) {
        super("host", limit, true, 1, Integer.MAX_VALUE);
        this.devices = List.copyOf(devices);
    }

    @Override
    Layout layout(DataNeed need) {
        return isLaidOut(need) ? need.data().layout() : super.layout(need);
    }

    @Override
    long bytes(DataNeed need) {
        return isLaidOut(need) && !need.isNone() ? need.data().layout().bytes() : super.bytes(need);
    }

    /** Returns true if a replica for {@code need} lies as the layout of its data says. */
    private static boolean isLaidOut(DataNeed need) {
        Data data = need.data();
        return data.isPadded() && need.box().equals(data.box());
    }

    @Override
    Object allocate(Layout layout) {
        long bytes = layout.bytes();
        Block block = kept.take(bytes);
        if (block == null) {
            kept.shrink(limit - used - bytes); // kept memory counts against the limit, too
            Arena arena = Arena.ofShared();
            MemorySegment segment = arena.allocate(bytes, Layout.ALIGNMENT);
            block = new Block(arena, segment, bytes < PINNED_FROM ? null : pin(segment));
        }
        inUse.put(block.segment().address(), block);
        return block.segment();
    }

    private @Nullable PinnedMemory pin(MemorySegment segment) {
        for (Device device : devices) {
            PinnedMemory pinned = device.pin(segment);
            if (pinned != null) {
                return pinned;
            }
        }
        return null;
    }

    @Override
    void free(Object memory) {
        Block block = inUse.remove(((MemorySegment) memory).address());
        if (block != null) {
            kept.give(block.segment().byteSize(), block, peak);
        }
    }

    @Override
    TransferPath fromHost() {
        return HostSpace::copy;
    }

    @Override
    TransferPath toHost() {
        return HostSpace::copy;
    }

    @Override
    TransferPath pathFrom(Space other) {
        return other.toHost();
    }

    @Override
    TransferPath pathTo(Space other) {
        return other.fromHost();
    }

    /** Copies at once. */
    private static void copy(
            Object from, Object to, List<CopyShape> shapes, boolean careful, Consumer<@Nullable Throwable> then) {
        Throwable error = null;
        try {
            Shapes.copy((MemorySegment) from, (MemorySegment) to, shapes);
        } catch (RuntimeException e) {
            error = e;
        }
        then.accept(error);
    }

    /** Does nothing: the device that was to be read has failed, not host memory. */
    @Override
    void failed(Throwable error) {}

    @Override
    void close() {
        kept.shrink(0);
        inUse.values().forEach(Block::close);
        inUse.clear();
    }
}
