package dev.jacquard.memory.device;

import dev.jacquard.base.machine.Target;
import java.util.Optional;

/** A device that could be used. Threads: any. */
public interface DeviceOffer {
    /** The kind and a number, unique in the process: {@code opencl0}. */
    String name();

    /** Returns the target whose implementations of kernels it runs. */
    Target target();

    /** Returns its model, sizes and whatever else the driver tells. */
    Device.Properties properties();

    /** Returns the link to the host, where its speed is known without measuring. */
    default Optional<HostLink> hostLink() {
        return Optional.empty();
    }

    /**
     * Begins to use it.
     *
     * @throws DeviceException when the driver refuses
     */
    Device open();

    /**
     * The link between the host's memory and a device's.
     *
     * @param in to the device
     * @param out from the device
     */
    record HostLink(LinkSpeed in, LinkSpeed out) {}
}
