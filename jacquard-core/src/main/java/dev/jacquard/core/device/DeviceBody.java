package dev.jacquard.core.device;

import dev.jacquard.core.data.View;
import java.util.List;

/**
 * What a task does on a device: tells the task's stream, and returns; the task is over when the stream has done it. Calls of a vendor's
 * library on the stream are as good as launches.
 */
@FunctionalInterface
public interface DeviceBody {
    /** Tells {@code work.stream()}, and no other, what to do. By the device's submitting thread. */
    void enqueue(DeviceWork work) throws Exception;

    /**
     * Throws unless it can work with this data, which a task accesses in this order. Asked at submission.
     *
     * @throws IllegalArgumentException saying what does not fit
     */
    default void requireFits(String task, List<View> data) {}
}
