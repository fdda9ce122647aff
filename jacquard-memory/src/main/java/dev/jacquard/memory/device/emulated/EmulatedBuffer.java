package dev.jacquard.memory.device.emulated;

import dev.jacquard.memory.device.DeviceBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory of an emulated device: native memory that only its streams touch. */
final class EmulatedBuffer implements DeviceBuffer {
    private final EmulatedDevice device;
    private final Arena arena;
    private final MemorySegment segment;

    EmulatedBuffer(EmulatedDevice device, Arena arena, MemorySegment segment) {
        this.device = device;
        this.arena = arena;
        this.segment = segment;
    }

    @Override
    public EmulatedDevice device() {
        return device;
    }

    @Override
    public long bytes() {
        return segment.byteSize();
    }

    /** For {@link EmulatedMemory}, which closes it. */
    Arena arena() {
        return arena;
    }

    /** For threads of streams. */
    MemorySegment segment() {
        return segment;
    }

    @Override
    public void close() {
        device.memory().free(this);
    }

    @Override
    public String toString() {
        return bytes() + " bytes of " + device.name();
    }
}
