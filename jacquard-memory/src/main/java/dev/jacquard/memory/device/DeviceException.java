package dev.jacquard.memory.device;

import org.jspecify.annotations.Nullable;

/** A device, or its driver, refused or failed: the operation, the device, and the message of the driver. */
public class DeviceException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** With a message for people. */
    public DeviceException(String message) {
        super(message);
    }

    /** With a message for people, and why. */
    public DeviceException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
