package dev.jacquard.devices.cuda;

import dev.jacquard.memory.device.DeviceBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Memory of a device. */
final class CudaBuffer extends CudaResource implements DeviceBuffer {
    private final long address;
    private final long bytes;

    private CudaBuffer(CudaDevice device, long address, long bytes) {
        super(device);
        this.address = address;
        this.bytes = bytes;
    }

    static CudaBuffer allocate(CudaDevice device, long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("a buffer needs at least 1 byte, not " + bytes);
        }
        CudaContext context = device.context();
        context.enter();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            int status = context.driver().memAlloc(result.address(), bytes);
            if (status != CudaStatus.SUCCESS) {
                throw context.failure(status, "allocate " + bytes + " bytes");
            }
            return new CudaBuffer(device, result.get(ValueLayout.JAVA_LONG, 0), bytes);
        }
    }

    /** The {@code CUdeviceptr}. */
    long address() {
        return address;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    void release() {
        context().checkRelease(context().driver().memFree(address), "give a buffer back");
    }
}
