package dev.jacquard.devices.cuda;

import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceLostException;
import dev.jacquard.memory.device.DeviceMemoryException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The primary context of one device, with methods that make it the calling thread's and turn statuses into exceptions.
 * Threads: any.
 *
 * @param device the device's name, for messages
 * @param handle the driver's
 */
record CudaContext(Driver driver, String device, long handle) {
    /**
     * Makes this the calling thread's context; comes before each call that needs one, for others may have changed it.
     */
    void enter() {
        int status = driver.ctxSetCurrent(handle);
        if (status != CudaStatus.SUCCESS) {
            throw failure(status, "use its context");
        }
    }

    /** Throws when the driver refused. */
    void check(int status, String what) {
        if (status != CudaStatus.SUCCESS) {
            throw failure(status, what);
        }
    }

    /** For giving things back: a device that is lost has taken them already. */
    void checkRelease(int status, String what) {
        if (status != CudaStatus.SUCCESS && !CudaStatus.isLoss(status)) {
            throw failure(status, what);
        }
    }

    /**
     * Returns the exception for a status.
     *
     * @param what the intended operation, as in "cuda0 cannot ..."
     */
    DeviceException failure(int status, String what) {
        String message = device + " cannot " + what + ": " + driver.words(status);
        if (CudaStatus.isLoss(status)) {
            return new DeviceLostException(message);
        }
        return status == CudaStatus.OUT_OF_MEMORY
                ? new DeviceMemoryException(message + "; " + memory())
                : new DeviceException(message);
    }

    /** The free memory and all of it, in words. */
    private String memory() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sizes = arena.allocate(ValueLayout.JAVA_LONG, 2);
            int status = driver.memGetInfo(sizes.address(), sizes.address() + Long.BYTES);
            return status == CudaStatus.SUCCESS
                    ? sizes.getAtIndex(ValueLayout.JAVA_LONG, 0) + " of " + sizes.getAtIndex(ValueLayout.JAVA_LONG, 1)
                            + " bytes are free"
                    : "how much is free, the driver does not say";
        }
    }
}
