package dev.jacquard.core.device;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A task's work that is one launch of a kernel. The kernel's parameters are the task's arguments, then the number of work items as a
 * {@code long}, since a device may run more.
 *
 * @param source the kernel
 * @param shape how many work items a task needs
 */
public record SourceKernel(KernelSource source, Function<DeviceWork, LaunchShape> shape) implements DeviceBody {
    /** With a work item per element of the data that the task accesses last. */
    public static SourceKernel perElement(KernelSource source) {
        return new SourceKernel(source, work -> LaunchShape.of(work.items()));
    }

    @Override
    public void enqueue(DeviceWork work) {
        DeviceStream stream = work.stream();
        LaunchShape items = shape.apply(work);
        List<Object> arguments = new ArrayList<>(work.arguments());
        arguments.add(items.items());
        stream.launch(stream.device().compile(source), items, arguments);
    }
}
