package dev.jacquard.core.device;

/** A kernel that was compiled for a device, and lives as long as that. Threads: any. */
public interface DeviceKernel {
    /** Whose it is. */
    Device device();

    /** The name of the function. */
    String name();
}
