package dev.jacquard.memory.device;

import dev.jacquard.memory.data.View;
import java.util.List;

/**
 * The work of a task on a device. It enqueues operations in the task's stream, and returns; the task is over when the
 * stream has done all of them. Calls of a vendor's library on the stream are as good as launches.
 */
@FunctionalInterface
public interface DeviceBody {
    /**
     * Enqueues operations in {@code work.stream()}, and in no other. It may be called while kernels of tasks before
     * this one are still to be done, on the same stream. One call at a time for each device, by any thread.
     */
    void enqueue(DeviceWork work) throws Exception;

    /**
     * Throws unless the body can work with these arguments. Called when a task is submitted, wherever that is to run,
     * so that a program with a mistake is refused on every machine.
     *
     * @param task the task's name
     * @param numbers the task's numbers
     * @param data the task's data, in the order of the kernel's parameters, or else of the task's accesses
     * @throws IllegalArgumentException which names the argument that does not fit
     */
    default void requireFits(String task, List<Object> numbers, List<View> data) {}

    /**
     * Returns true if the body can do the work of several items in one launch: each of its buffers then has the parts
     * of {@link DeviceWork#batch} items, one after the other without gaps. False by default.
     */
    default boolean isBatchable() {
        return false;
    }
}
