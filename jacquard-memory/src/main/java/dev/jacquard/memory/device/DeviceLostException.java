package dev.jacquard.memory.device;

import org.jspecify.annotations.Nullable;

/** The device is gone, with everything in its memory: nothing can be done there any more. */
public final class DeviceLostException extends DeviceException {
    private static final long serialVersionUID = 1;

    /** With a message for people. */
    public DeviceLostException(String message) {
        super(message);
    }

    /** Returns the loss of a device among the causes of {@code error}, or itself; null when there is none. */
    public static @Nullable DeviceLostException in(@Nullable Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof DeviceLostException lost) {
                return lost;
            }
        }
        return null;
    }
}
