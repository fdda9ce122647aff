package dev.jacquard.devices.opencl;

import static dev.jacquard.devices.opencl.ClFunctions.CL;

import dev.jacquard.memory.device.DeviceBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/** A memory object. The driver keeps its memory for commands that are under way when it is closed. */
final class OpenClBuffer implements DeviceBuffer, Owned {
    static final long READ_WRITE = 1;
    static final long ALLOC_HOST_PTR = 1 << 4;

    private final OpenClDevice device;
    private final long memory;
    private final long bytes;
    private final AtomicBoolean closed = new AtomicBoolean();

    OpenClBuffer(OpenClDevice device, long memory, long bytes) {
        this.device = device;
        this.memory = memory;
        this.bytes = bytes;
    }

    @Override
    public OpenClDevice device() {
        return device;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    /**
     * The {@code cl_mem}.
     *
     * @throws IllegalStateException when it is closed
     */
    long memory() {
        if (closed.get()) {
            throw new IllegalStateException("a buffer of " + bytes + " bytes of " + device.name() + " is closed");
        }
        return memory;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            device.forget(this, bytes);
            ClStatus.check(CL.clReleaseMemObject(memory), device.name(), "release a buffer of " + bytes + " bytes");
        }
    }

    @Override
    public String toString() {
        return bytes + " bytes of " + device.name();
    }
}
