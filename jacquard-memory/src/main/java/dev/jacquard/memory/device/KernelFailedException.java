package dev.jacquard.memory.device;

import java.util.Objects;

/**
 * The code of a kernel threw an exception, which is the cause: Java code, on an emulated device. The device itself
 * works. A task with a kernel that ends so fails with the cause, as on the host, and does not go elsewhere.
 */
public final class KernelFailedException extends DeviceException {
    private static final long serialVersionUID = 1;

    private final Throwable thrown;

    /**
     * For devices.
     *
     * @param message the kernel, the device, and the exception
     * @param thrown the exception of the code
     */
    public KernelFailedException(String message, Throwable thrown) {
        super(message, Objects.requireNonNull(thrown, "thrown"));
        this.thrown = thrown;
    }

    /** Returns the exception of the code. */
    public Throwable thrown() {
        return thrown;
    }
}
