package dev.jacquard.memory.coherence;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.Target;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceMemoryException;

/** A device's memory, and the lanes on which it is told what to do. */
final class DeviceSpace extends Space {
    /**
     * Tasks that copy, or have copied, and are not over, at a time: enough for the copies of the next to overlap with
     * what runs.
     */
    private static final int DEPTH = 8;

    final Device device;
    /** The device as a target of its own. */
    final Target itself;

    /** How large a buffer may be, in bytes. */
    private final long largest;
    /** A driver's allocation takes long, and may wait for all that the device does. */
    private final KeptMemory<DeviceBuffer> kept = new KeptMemory<>(DeviceBuffer::close);

    final PinnedPool pinned;
    final TransferQueue in;
    final TransferQueue out;
    final TransferQueue compute;

    /** Those of them that are not ready. Guarded like the rest. */
    final Prefetcher.Queue queue = new Prefetcher.Queue();

    DeviceSpace(Device device, long limit, BlockingThreads threads, Clock clock) {
        super(device.name(), limit, false, 0, DEPTH);
        this.device = device;
        this.itself = Target.named(device.name());
        this.largest = device.properties().largestBuffer();
        this.pinned = new PinnedPool(device);
        this.in = new TransferQueue(device, "copies in", threads, clock);
        this.out = new TransferQueue(device, "copies out", threads, clock);
        this.compute = new TransferQueue(device, "kernels", threads, clock);
    }

    /** Whether it is {@code target}, or of that kind. */
    boolean is(Target target) {
        return target.equals(itself) || target.equals(device.target());
    }

    @Override
    long largest() {
        return largest;
    }

    @Override
    Device device() {
        return device;
    }

    @Override
    Object allocate(Layout layout) {
        long bytes = layout.bytes();
        DeviceBuffer known = kept.take(bytes);
        if (known != null) {
            return known;
        }
        kept.shrink(limit - used - bytes); // it counts against the limit too
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

    void close() {
        in.close();
        out.close();
        compute.close();
        kept.shrink(0);
        pinned.close();
        device.close();
    }
}
