package dev.jacquard.core.device;

import dev.jacquard.core.data.View;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A task's work that is one launch of a kernel. The kernel's parameters are the task's arguments, then the number of work items as a
 * {@code long}, since a device may run more.
 *
 * @param source the kernel
 * @param shape how many work items a task needs
 * @param sameLengths whether all data must have as many elements as there are items, so that each item finds its own everywhere
 */
public record SourceKernel(KernelSource source, Function<DeviceWork, LaunchShape> shape, boolean sameLengths)
        implements DeviceBody {
    /** A kernel of any shape, with data of any size. */
    public SourceKernel(KernelSource source, Function<DeviceWork, LaunchShape> shape) {
        this(source, shape, false);
    }

    /**
     * With a work item per element of the data that the task accesses last. A task whose data are of different lengths is refused; see {@link
     * #anyLengths}.
     */
    public static SourceKernel perElement(KernelSource source) {
        return new SourceKernel(source, work -> LaunchShape.of(work.items()), true);
    }

    /** The same, for a kernel that knows what it finds where: an item per element of the last data, and others of any length. */
    public SourceKernel anyLengths() {
        return new SourceKernel(source, shape, false);
    }

    @Override
    public void requireFits(String task, List<View> data) {
        if (!sameLengths || data.isEmpty()) {
            return;
        }
        long items = data.getLast().box().elements();
        for (View its : data) {
            long elements = its.box().elements();
            if (elements != items) {
                throw new IllegalArgumentException(
                        "task \"" + task + "\": kernel \"" + source.function() + "\" of "
                                + source.name() + " has a work item for each element of " + data.getLast() + ", "
                                + items
                                + " in all, and " + its + " has " + elements
                                + " elements: give it parts of one length, or let it be SourceKernel.perElement(...).anyLengths()");
            }
        }
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
