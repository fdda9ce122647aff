package dev.jacquard.core.device;

import dev.jacquard.core.data.Layout;
import java.util.List;

/** A task on a device, as its body sees it. Valid while {@link DeviceBody#enqueue} runs, and for that thread. */
public interface DeviceWork {
    /** The task's name. */
    String name();

    /** Where its work goes. */
    DeviceStream stream();

    /**
     * The numbers that the task was given, then the memory of each of its data in the order of its accesses: {@link Integer}, {@link Long},
     * {@link Float}, {@link Double}, {@link DeviceBuffer}.
     */
    List<Object> arguments();

    /** How the elements of argument {@code index}, a buffer, lie in it. */
    Layout layout(int index);

    /** How many elements the data has that the task accesses last: of how many items a kernel usually is. */
    long items();
}
