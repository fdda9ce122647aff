package dev.jacquard.memory.device;

/** A device has not as much memory left as was asked for. */
public final class DeviceMemoryException extends DeviceException {
    private static final long serialVersionUID = 1;

    /** With a message for people: how much was asked for, and how much there is. */
    public DeviceMemoryException(String message) {
        super(message);
    }
}
