package dev.jacquard.core.device;

import dev.jacquard.core.machine.Target;

/** A device that could be used. Threads: any. */
public interface DeviceOffer {
    /** The kind and a number, unique in the process: {@code opencl0}. */
    String name();

    /** Which implementations of kernels it runs. */
    Target target();

    /** What it is like. */
    DeviceProperties properties();

    /**
     * Begins to use it.
     *
     * @throws DeviceException when the driver refuses
     */
    Device open();
}
