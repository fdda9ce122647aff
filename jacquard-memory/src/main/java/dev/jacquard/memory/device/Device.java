package dev.jacquard.memory.device;

import dev.jacquard.base.machine.ExecutionTarget;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An accelerator that is in use: its memory, and streams that do their operations in order.
 *
 * <p>Threads: any, at the same time. Closing it ends everything that came of it, and must come after all other calls.
 */
public interface Device extends AutoCloseable {
    /** The usual {@link #batchBytes}: some hundred times the other costs of a copy and its event. */
    long USUAL_BATCH = 1 << 22;

    /** See {@link DeviceOffer#name}. */
    String name();

    /** See {@link DeviceOffer#target}. */
    ExecutionTarget target();

    /** See {@link DeviceOffer#properties}. */
    Properties properties();

    /**
     * Memory of the device, with undefined contents.
     *
     * @param bytes more than 0
     * @throws IllegalArgumentException when they are not
     * @throws DeviceMemoryException when there is not that much
     * @throws DeviceLostException when the device is gone
     */
    DeviceBuffer allocate(long bytes);

    /**
     * The bytes of a batch, at least 1: arrays of the Java heap, which drivers cannot reach, pass through pinned memory
     * a batch at a time, so that the device copies one while a thread copies another.
     */
    default long batchBytes() {
        return USUAL_BATCH;
    }

    /**
     * Host memory that copies to and from this device are fastest with, page-locked where the driver can do that;
     * zeroed.
     *
     * @param bytes more than 0
     * @throws IllegalArgumentException when they are not
     * @throws DeviceMemoryException when there is not that much
     */
    PinnedMemory allocatePinned(long bytes);

    /**
     * Page-locks host memory that is there already, so that copies to and from this device, and others of its kind, are
     * as fast as with {@link #allocatePinned}, and continue after the call returns.
     *
     * @param memory not on the Java heap; stays until the result is closed
     * @return the same memory; null where the driver cannot, or will not, lock it
     */
    default @Nullable PinnedMemory pin(MemorySegment memory) {
        return null;
    }

    /**
     * One more stream.
     *
     * @param name for traces
     */
    DeviceStream stream(String name);

    /**
     * Compiles a kernel, or finds the result of an earlier call for an equal source.
     *
     * @throws KernelCompilationException when the source is wrong, with the compiler's log
     * @throws DeviceException when the source is in no language of this device's
     */
    DeviceKernel compile(KernelSource source);

    /** Returns true if streams of this device can copy to and from buffers of {@code other} without the host. */
    default boolean reaches(Device other) {
        return other == this;
    }

    /** Ends its use; waits for the operations of its streams. A second call does nothing. */
    @Override
    void close();

    /** Host memory that copies are fastest with. */
    interface PinnedMemory extends AutoCloseable {
        /** The memory, for any thread, until it is closed. */
        MemorySegment segment();

        @Override
        void close();
    }

    /**
     * The properties of a device.
     *
     * @param model as its vendor calls it
     * @param memoryBytes how much memory it has
     * @param largestBuffer how large a buffer may be, in bytes
     * @param computeUnits how many multiprocessors or cores
     * @param more further properties, by the driver's or the field's names: {@code warp_size}, {@code driver_version};
     *     in order
     */
    record Properties(String model, long memoryBytes, long largestBuffer, int computeUnits, Map<String, String> more) {
        public Properties {
            more = Collections.unmodifiableMap(new LinkedHashMap<>(more));
        }
    }
}
