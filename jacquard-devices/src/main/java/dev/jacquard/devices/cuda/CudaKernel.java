package dev.jacquard.devices.cuda;

import dev.jacquard.memory.device.DeviceKernel;
import org.jspecify.annotations.Nullable;

/** A function of a module that is loaded on a device. */
final class CudaKernel implements DeviceKernel {
    private final CudaDevice device;
    private final String name;
    private final long handle;
    private final int preferredBlock;
    private final int largestBlock;
    private final int @Nullable [] sizes;

    /**
     * For {@link ProgramCache}.
     *
     * @param preferredBlock threads per block at which it fills the device best
     * @param largestBlock threads per block that it can have
     * @param sizes of the parameters in bytes; null when the driver does not tell
     */
    CudaKernel(
            CudaDevice device, String name, long handle, int preferredBlock, int largestBlock, int @Nullable [] sizes) {
        this.device = device;
        this.name = name;
        this.handle = handle;
        this.preferredBlock = preferredBlock;
        this.largestBlock = largestBlock;
        this.sizes = sizes;
    }

    @Override
    public CudaDevice device() {
        return device;
    }

    @Override
    public String name() {
        return name;
    }

    /** The {@code CUfunction}. */
    long handle() {
        return handle;
    }

    int preferredBlock() {
        return preferredBlock;
    }

    int largestBlock() {
        return largestBlock;
    }

    void requireCount(int count) {
        if (sizes != null && count != sizes.length) {
            throw new IllegalArgumentException(
                    "kernel \"" + name + "\" takes " + sizes.length + " arguments, not " + count);
        }
    }

    void requireSize(int i, int bytes) {
        if (sizes != null && bytes != sizes[i]) {
            throw new IllegalArgumentException(
                    "argument " + i + " of kernel \"" + name + "\" has " + sizes[i] + " bytes, not " + bytes);
        }
    }
}
