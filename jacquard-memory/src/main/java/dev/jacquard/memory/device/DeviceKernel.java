package dev.jacquard.memory.device;

import java.util.List;

/** A kernel that was compiled for a device, and lives as long as that. Threads: any. */
public interface DeviceKernel {
    /** The device that it is compiled for. */
    Device device();

    /** The name of the function. */
    String name();

    /**
     * The declarations of its parameters as the driver reports them, {@code double* x}; empty where it reports none.
     */
    default List<String> declarations() {
        return List.of();
    }
}
