package dev.jacquard.devices.cuda;

import dev.jacquard.memory.device.Device;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Page-locked host memory. Its segment ends with it, so that a late access fails instead of reading freed memory. */
final class CudaPinned extends CudaResource implements Device.PinnedMemory {
    /** {@code CU_MEMHOSTALLOC_PORTABLE}: page-locked for all devices. */
    private static final int PORTABLE = 1;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment segment;

    private CudaPinned(CudaDevice device, long address, long bytes) {
        super(device);
        this.segment = MemorySegment.ofAddress(address).reinterpret(bytes, arena, null);
    }

    static CudaPinned allocate(CudaDevice device, long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("pinned memory needs at least 1 byte, not " + bytes);
        }
        CudaContext context = device.context();
        context.enter();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            int status = context.driver().memHostAlloc.call(result.address(), bytes, PORTABLE);
            if (status != CudaStatus.SUCCESS) {
                throw context.failure(status, "allocate " + bytes + " bytes of page-locked host memory");
            }
            CudaPinned pinned = new CudaPinned(device, result.get(ValueLayout.JAVA_LONG, 0), bytes);
            pinned.segment.fill((byte) 0);
            return pinned;
        }
    }

    @Override
    public MemorySegment segment() {
        return segment;
    }

    @Override
    void release() {
        long address = segment.address();
        arena.close();
        context().checkRelease(context().driver().memFreeHost.call(address), "give page-locked memory back");
    }
}
