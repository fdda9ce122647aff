package dev.jacquard.memory.device;

import dev.jacquard.base.machine.ExecutionTarget;
import java.util.Optional;

/** A device that could be used. Threads: any. */
public interface DeviceOffer {
    /** The kind and a number, unique in the process: {@code opencl0}. */
    String name();

    /** Returns the target of the implementations of kernels that it runs. */
    ExecutionTarget target();

    /** Returns its model, its sizes and further properties that the driver reports. */
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

    /**
     * The speed of copies between two memories.
     *
     * @param bytesPerSecond of a large copy; at least 1, {@link Long#MAX_VALUE} for no limit
     * @param latencyNanos how much longer each copy takes than its bytes do; at least 0
     */
    record LinkSpeed(long bytesPerSecond, long latencyNanos) {
        public LinkSpeed {
            if (bytesPerSecond < 1 || latencyNanos < 0) {
                throw new IllegalArgumentException("a link carries at least 1 byte per second after at least 0 ns, not "
                        + bytesPerSecond + " after " + latencyNanos);
            }
        }

        /** Returns the time of a copy that has the link for itself, in nanoseconds. */
        public double nanos(long bytes) {
            return latencyNanos + (bytesPerSecond == Long.MAX_VALUE ? 0 : bytes * 1e9 / bytesPerSecond);
        }

        /** The speed of a copy that goes through both at the same time. */
        public LinkSpeed along(LinkSpeed other) {
            return new LinkSpeed(
                    Math.min(bytesPerSecond, other.bytesPerSecond), Math.max(latencyNanos, other.latencyNanos));
        }
    }
}
