package dev.jacquard.memory.coherence;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.Place;
import dev.jacquard.memory.coherence.Coherence.BlockingThreads;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.Device.PinnedMemory;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceMemoryException;
import org.jspecify.annotations.Nullable;

/** A device's memory, and the queues of its copies and kernels. */
final class DeviceSpace extends Space {
    /**
     * The number of tasks that copy, or have copied, and are not over, at a time: enough for the copies of the next
     * tasks to overlap with running tasks.
     */
    private static final int DEPTH = 8;

    final Device device;
    /** The device as tasks are sent there. */
    private final Place place;

    /** The number of bytes that a buffer may take. */
    private final long largest;
    /** Kept since a driver's allocation takes long, and may wait for all that the device does. */
    private final KeptMemory<DeviceBuffer> kept = new KeptMemory<>(DeviceBuffer::close);

    private final PinnedPool pinned;
    final TransferQueue in;
    final TransferQueue out;
    private final TransferQueue kernels;

    private final TransferPath fromHost = new DevicePaths.In(this);
    private final TransferPath toHost = new DevicePaths.Out(this);
    private final TransferPath peer = new DevicePaths.Peer(this);

    DeviceSpace(Place place, Device device, long limit, BlockingThreads threads, Clock clock) {
        super(device.name(), limit, false, 0, DEPTH);
        this.device = device;
        this.place = place;
        this.largest = device.properties().largestBuffer();
        this.pinned = new PinnedPool(device);
        this.in = new TransferQueue(device, "copies in", threads, clock);
        this.out = new TransferQueue(device, "copies out", threads, clock);
        this.kernels = new TransferQueue(device, "kernels", threads, clock);
    }

    @Override
    long largest() {
        return largest;
    }

    @Override
    Place place() {
        return place;
    }

    @Override
    Object allocate(Layout layout) {
        long bytes = layout.bytes();
        DeviceBuffer known = kept.take(bytes);
        if (known != null) {
            return known;
        }
        kept.shrink(limit - used - bytes); // kept memory counts against the limit, too
        try {
            return device.allocate(bytes);
        } catch (DeviceMemoryException e) {
            if (kept.isEmpty()) {
                throw e;
            }
            kept.shrink(0);
            return device.allocate(bytes);
        }
    }

    @Override
    void free(Object memory) {
        DeviceBuffer buffer = (DeviceBuffer) memory;
        kept.give(buffer.bytes(), buffer, peak);
    }

    @Override
    TransferPath fromHost() {
        return fromHost;
    }

    @Override
    TransferPath toHost() {
        return toHost;
    }

    @Override
    @Nullable
    TransferPath pathFrom(Space other) {
        Device source = other.device();
        return source != null && device.reaches(source) ? peer : null;
    }

    @Override
    boolean isIdle() {
        return in.isIdle() && out.isIdle() && kernels.isIdle();
    }

    @Override
    PinnedMemory staging(long bytes) {
        return pinned.lend(bytes);
    }

    @Override
    Device device() {
        return device;
    }

    @Override
    TransferQueue kernels() {
        return kernels;
    }

    @Override
    boolean prefetches() {
        return true;
    }

    /**
     * Returns true: an adder with a launch that fails, and which goes elsewhere, must leave nothing to other adders.
     */
    @Override
    boolean addsInTurn() {
        return true;
    }

    @Override
    void close() {
        in.close();
        out.close();
        kernels.close();
        kept.shrink(0);
        pinned.close();
        device.close();
    }
}
