package dev.jacquard.memory.device;

/** The device is gone, with everything in its memory: nothing can be done there any more. */
public final class DeviceLostException extends DeviceException {
    private static final long serialVersionUID = 1;

    /** With a message for people. */
    public DeviceLostException(String message) {
        super(message);
    }
}
