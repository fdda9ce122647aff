package dev.jacquard.memory.device.emulated;

import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.Device.PinnedMemory;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceEvent;
import dev.jacquard.memory.device.DeviceStream;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** A device with a stream, a buffer and host memory of 64 longs. */
final class Rig implements AutoCloseable {
    static final int LONGS = 64;
    static final long BYTES = 8 * LONGS;
    static final CopyShape ALL = CopyShape.run(0, 0, BYTES);

    final EmulatedDevice device;
    final EmulatedStream stream;
    final DeviceBuffer buffer;
    private final PinnedMemory pinned;

    Rig(EmulatedOffer offer) {
        device = offer.open();
        stream = device.stream("work");
        buffer = device.allocate(BYTES);
        pinned = device.allocatePinned(BYTES);
    }

    static Rig with(FaultPlan faults) {
        return new Rig(EmulatedDevice.offer("emulated0").memory(1 << 20).faults(faults));
    }

    MemorySegment host() {
        return pinned.segment();
    }

    /** The first number of the host's memory. */
    long value() {
        return host().get(ValueLayout.JAVA_LONG, 0);
    }

    void fill(long value) {
        for (int i = 0; i < LONGS; i++) {
            host().setAtIndex(ValueLayout.JAVA_LONG, i, value);
        }
    }

    void in() {
        stream.copyIn(host(), buffer, ALL);
    }

    void out() {
        stream.copyOut(buffer, host(), ALL);
    }

    /** Adds 1 to the buffer's first number. */
    void increment() {
        stream.run("increment", Rig::increment, List.of(buffer));
    }

    private static void increment(EmulatedBody.Launch launch) {
        MemorySegment memory = launch.memory(0);
        memory.set(ValueLayout.JAVA_LONG, 0, memory.get(ValueLayout.JAVA_LONG, 0) + 1);
    }

    void finish() {
        finish(stream);
    }

    static void finish(DeviceStream stream) {
        try (DeviceEvent end = stream.record()) {
            end.await();
        }
    }

    @Override
    public void close() {
        pinned.close();
        device.close();
    }
}
