package dev.jacquard.memory.device;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Copies and launches of one device, done one after the other; operations of different streams overlap where the device
 * can.
 *
 * <p>Methods return before the work is done. Once an operation has failed no later one is done, and each event from
 * there on says why.
 *
 * <p>Threads: one at a time.
 */
public interface DeviceStream extends AutoCloseable {
    /** Returns the device that it belongs to. */
    Device device();

    /**
     * Copies from the host. The memory must stay as it is until an event after the copy is over.
     *
     * @param from native memory
     * @throws IllegalArgumentException when the shape leaves one of the two, or {@code from} is on the heap
     */
    void copyIn(MemorySegment from, DeviceBuffer to, CopyShape shape);

    /**
     * Copies to the host; see {@link #copyIn}.
     *
     * @param to native memory
     * @throws IllegalArgumentException when the shape leaves one of the two, or {@code to} is on the heap or read-only
     */
    void copyOut(DeviceBuffer from, MemorySegment to, CopyShape shape);

    /**
     * Copies between buffers of this device, or from one that this device {@link Device#reaches}; the two must not
     * overlap.
     *
     * @throws IllegalArgumentException when the shape leaves one of the two, or neither is of this device
     */
    void copy(DeviceBuffer from, DeviceBuffer to, CopyShape shape);

    /**
     * Runs a kernel of this device.
     *
     * @param arguments in the kernel's order: {@link DeviceBuffer}, {@link Integer}, {@link Long}, {@link Float} or
     *     {@link Double}
     * @throws IllegalArgumentException when their number, or the size of one, is not as the kernel expects, as far as
     *     the driver reports it
     */
    void launch(DeviceKernel kernel, LaunchShape shape, List<?> arguments);

    /** A place in the stream: it is over when everything before it is. */
    DeviceEvent record();

    /** Lets all later operations wait for an event of another stream of the same device; the host does not wait. */
    void await(DeviceEvent event);

    /**
     * The vendor's stream, for calls of the vendor's libraries: the address that its functions take; 0 where there is
     * none.
     */
    default long handle() {
        return 0;
    }

    /** Ends the stream; waits for its operations. A second call does nothing. */
    @Override
    void close();
}
