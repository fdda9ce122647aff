package dev.jacquard.devices.opencl;

import static dev.jacquard.devices.opencl.ClFunctions.CL;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.jacquard.base.foreign.NativeMemory;
import dev.jacquard.memory.device.Device.PinnedMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Host memory that the driver chose: a memory object of {@code CL_MEM_ALLOC_HOST_PTR} that stays mapped. Owns the arena
 * of its segment, so that later uses of the segment are refused by Java.
 */
final class OpenClPinned implements PinnedMemory, Owned {
    private static final long MAP_READ_WRITE = 1 | 1 << 1;

    private final OpenClDevice device;
    private final long memory;
    private final MemorySegment mapped;
    private final Arena arena;
    private final MemorySegment segment;
    private final AtomicBoolean closed = new AtomicBoolean();

    private OpenClPinned(OpenClDevice device, long memory, MemorySegment mapped, long bytes) {
        this.device = device;
        this.memory = memory;
        this.mapped = mapped;
        this.arena = Arena.ofShared();
        this.segment = NativeMemory.of(mapped.address(), bytes, arena).fill((byte) 0);
    }

    /** Maps a memory object, and owns it from now on, also when that fails. */
    static OpenClPinned map(OpenClDevice device, long memory, long bytes) {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment status = scratch.allocate(JAVA_INT);
            MemorySegment mapped = CL.clEnqueueMapBuffer(
                    device.mapping(),
                    memory,
                    1,
                    MAP_READ_WRITE,
                    0,
                    bytes,
                    0,
                    MemorySegment.NULL,
                    MemorySegment.NULL,
                    status);
            ClStatus.check(status.get(JAVA_INT, 0), device.name(), "map " + bytes + " bytes of pinned memory");
            return new OpenClPinned(device, memory, mapped, bytes);
        } catch (RuntimeException | Error refused) {
            CL.clReleaseMemObject(memory); // the failure that is under way says more
            throw refused;
        }
    }

    @Override
    public MemorySegment segment() {
        return segment;
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        device.forget(this, 0);
        Closing closing = new Closing();
        closing.run(arena::close);
        closing.run(() -> check(
                CL.clEnqueueUnmapMemObject(device.mapping(), memory, mapped, 0, MemorySegment.NULL, MemorySegment.NULL),
                "unmap"));
        closing.run(() -> check(CL.clFinish(device.mapping()), "unmap"));
        closing.run(() -> check(CL.clReleaseMemObject(memory), "release"));
        closing.finish();
    }

    private void check(int status, String task) {
        ClStatus.check(status, device.name(), task + " pinned memory");
    }
}
