package dev.jacquard.devices.cuda;

import dev.jacquard.base.foreign.NativeMemory;
import dev.jacquard.memory.device.Device;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Page-locked host memory: the driver's, with a segment that ends with it, so that a late access fails instead of
 * reading freed memory, or the caller's.
 */
final class CudaPinned extends CudaResource implements Device.PinnedMemory {
    /** {@code CU_MEMHOSTALLOC_PORTABLE} and {@code CU_MEMHOSTREGISTER_PORTABLE}: page-locked for all devices. */
    private static final int PORTABLE = 1;

    /** The arena of the driver's memory; null for the caller's. */
    private final @Nullable Arena arena;

    private final MemorySegment segment;

    private CudaPinned(CudaDevice device, @Nullable Arena arena, MemorySegment segment) {
        super(device);
        this.arena = arena;
        this.segment = segment;
    }

    static CudaPinned allocate(CudaDevice device, long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("pinned memory needs at least 1 byte, not " + bytes);
        }
        CudaContext context = device.context();
        context.enter();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
            int status = context.driver().memHostAlloc(result.address(), bytes, PORTABLE);
            if (status != CudaStatus.SUCCESS) {
                throw context.failure(status, "allocate " + bytes + " bytes of page-locked host memory");
            }
            Arena its = Arena.ofShared();
            MemorySegment segment = NativeMemory.of(result.get(ValueLayout.JAVA_LONG, 0), bytes, its);
            segment.fill((byte) 0);
            return new CudaPinned(device, its, segment);
        }
    }

    /** Locks memory of the caller's; null where the driver refuses, as for more than a process may lock. */
    static @Nullable CudaPinned lock(CudaDevice device, MemorySegment memory) {
        Driver driver = device.context().driver();
        if (driver.ctxSetCurrent(device.context().handle()) != CudaStatus.SUCCESS
                || driver.memHostRegister(memory.address(), memory.byteSize(), PORTABLE) != CudaStatus.SUCCESS) {
            return null;
        }
        return new CudaPinned(device, null, memory);
    }

    @Override
    public MemorySegment segment() {
        return segment;
    }

    @Override
    void release() {
        long address = segment.address();
        if (arena == null) {
            context().checkRelease(context().driver().memHostUnregister(address), "unlock host memory");
            return;
        }
        arena.close();
        context().checkRelease(context().driver().memFreeHost(address), "give page-locked memory back");
    }
}
