package dev.jacquard.memory.device;

import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.View;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A task's work that is one launch of a kernel. Immutable.
 *
 * <pre>{@code
 * SourceKernel.perElement(KernelSource.resource(OPENCL_C, Axpy.class, "axpy.cl", "axpy"));
 * //   __kernel void axpy(double a, __global const double *x, __global double *y, long n)
 * SourceKernel.perElement2d(KernelSource.resource(OPENCL_C, Mean.class, "mean.cl", "mean"));
 * //   __kernel void mean(__global const double *from, long fromRows, long fromColumns,
 * //                      __global double *to, long rows, long columns)
 * }</pre>
 *
 * <p>The kernel's parameters are the task's arguments in order, and then the number of work items as a {@code long},
 * since a device may run more; or, {@link #withExtents}, each data's extents after it. Arguments are compared with the
 * parameters in the source when a task is submitted; where types are not known from the source's text (macros,
 * {@code typedef}s), with the types that the driver reports, at the launch.
 *
 * <p>Threads: any.
 */
public final class SourceKernel implements DeviceBody {
    private final KernelSource source;
    private final KernelSignature signature;
    /** True if the signature says all about the arguments; each launch asks. */
    private final boolean isKnown;
    /** The number of items that a task needs; null for one per element. */
    private final @Nullable Function<DeviceWork, LaunchShape> shape;
    /** The dimensions of the data with an item per element: 1 for any. */
    private final int dimensions;
    /** The name of these data; null for the last data. */
    private final @Nullable String over;

    private final boolean extents;
    private final boolean sameLengths;
    private final boolean batchable;

    private SourceKernel(
            KernelSource source,
            KernelSignature signature,
            @Nullable Function<DeviceWork, LaunchShape> shape,
            int dimensions,
            @Nullable String over,
            boolean extents,
            boolean sameLengths,
            boolean batchable) {
        this.source = source;
        this.signature = signature;
        this.isKnown = signature.isComplete();
        this.shape = shape;
        this.dimensions = dimensions;
        this.over = over;
        this.extents = extents;
        this.sameLengths = sameLengths;
        this.batchable = batchable;
    }

    /** A kernel of any shape, with data of any size. */
    public SourceKernel(KernelSource source, Function<DeviceWork, LaunchShape> shape) {
        this(source, KernelSignature.of(source), shape, 1, null, false, false, false);
    }

    /**
     * With a work item per element of the last data, in the order of the arguments. A task with data of different
     * lengths is refused; see {@link #anyLengths}.
     */
    public static SourceKernel perElement(KernelSource source) {
        return new SourceKernel(source, KernelSignature.of(source), null, 1, null, false, true, false);
    }

    /**
     * With a work item per element of the last data, which is a matrix: columns in the first dimension of the launch,
     * which varies fastest, rows in the second. The kernel is given extents, as by {@link #withExtents}; data may be of
     * any size. A task is refused if its last data is no matrix.
     */
    public static SourceKernel perElement2d(KernelSource source) {
        return new SourceKernel(source, KernelSignature.of(source), null, 2, null, true, false, false);
    }

    /**
     * The same, with a work item per element of the data of that name instead of the last: the name of a parameter of
     * the kernel, or of the data itself.
     *
     * @throws IllegalStateException when its shape was given
     */
    public SourceKernel over(String name) {
        if (shape != null) {
            throw new IllegalStateException("kernel \"" + source.function()
                    + "\" has its own shape: over() is for perElement and perElement2d");
        }
        return new SourceKernel(source, signature, null, dimensions, name, extents, sameLengths, batchable);
    }

    /**
     * The same, with parameters for extents instead of the number of work items: after each data's memory how many
     * elements it has in each dimension, as {@code long}s. Without gaps, as data lies on devices, that is all there is
     * to know of its layout.
     */
    public SourceKernel withExtents() {
        return new SourceKernel(source, signature, shape, dimensions, over, true, sameLengths, batchable);
    }

    /**
     * The same, for a kernel that knows the extents of its data itself: an item per element of one data, and others of
     * any length.
     */
    public SourceKernel anyLengths() {
        return new SourceKernel(source, signature, shape, dimensions, over, extents, false, batchable);
    }

    /**
     * The same, for a kernel that does the work of several items in one launch: it gives each element, or each row of
     * elements, the same result wherever in the buffer that lies. {@link #withExtents} gives it the number of items as
     * the first extent.
     *
     * @throws IllegalStateException for a kernel with a work item per element of a matrix, or of data by name
     */
    public SourceKernel batchable() {
        if (dimensions > 1 || over != null) {
            throw new IllegalStateException("kernel \"" + source.function() + "\" of " + source.name()
                    + " has a work item per element of a matrix, or of data by name, and a batch has several of these:"
                    + " let it be perElement(...), or give it a shape");
        }
        return new SourceKernel(source, signature, shape, dimensions, over, extents, sameLengths, true);
    }

    @Override
    public boolean isBatchable() {
        return batchable;
    }

    /** Returns the source of the kernel. */
    public KernelSource source() {
        return source;
    }

    @Override
    public void requireFits(String task, List<Object> numbers, List<View> data) {
        requireShape(task, data);
        List<Object> all = new ArrayList<>(numbers);
        data.forEach(its -> addTypes(all, its));
        if (!extents) {
            all.add(data.isEmpty() ? 0L : data.getLast().box().elements());
        }
        signature.require(text(task), all);
    }

    private void addTypes(List<Object> to, View its) {
        to.add(its.data().layout().type());
        if (extents) {
            for (long extent : its.box().extents()) {
                to.add(extent);
            }
        }
    }

    /** Compares arguments with the driver's report of the kernel, where the source alone does not say everything. */
    private void requireAsBuilt(DeviceKernel kernel, DeviceWork work, List<Object> arguments) {
        List<String> declarations = kernel.declarations();
        if (declarations.isEmpty()) {
            return;
        }
        List<Object> all = new ArrayList<>(arguments);
        int data = 0;
        for (int i = 0; i < work.arguments().size(); i++) {
            if (work.arguments().get(i) instanceof DeviceBuffer) {
                while (!(all.get(data) instanceof DeviceBuffer)) {
                    data++;
                }
                all.set(data, work.data(i).data().layout().type());
            }
        }
        KernelSignature.of(declarations).require(text(work.name()), all);
    }

    private void requireShape(String task, List<View> data) {
        if (dimensions == 2 && over == null) {
            if (data.isEmpty()) {
                throw new IllegalArgumentException(
                        text(task) + " has a work item for each element of the matrix that is its "
                                + "last data, and its task accesses no data");
            }
            requireMatrix(task, data.getLast());
        }
        if (!sameLengths || data.isEmpty()) {
            return;
        }
        long items = data.getLast().box().elements();
        for (View its : data) {
            long elements = its.box().elements();
            if (elements != items) {
                throw new IllegalArgumentException(text(task) + " has a work item for each element of " + data.getLast()
                        + ", " + items + " in all, and " + its + " has " + elements
                        + " elements: give it parts of one length, or let it be"
                        + " SourceKernel.perElement(...).anyLengths()");
            }
        }
    }

    private String text(String task) {
        return "task \"" + task + "\": kernel \"" + source.function() + "\" of " + source.name();
    }

    private void requireMatrix(String task, View its) {
        if (its.box().dimensions() != 2) {
            throw new IllegalArgumentException(text(task) + " has a work item for each element of a matrix, and " + its
                    + " has " + its.box().dimensions() + " dimensions: let it be SourceKernel.perElement(...)");
        }
    }

    @Override
    public void enqueue(DeviceWork work) {
        DeviceStream stream = work.stream();
        LaunchShape items = items(work);
        List<Object> arguments = new ArrayList<>();
        for (int i = 0; i < work.arguments().size(); i++) {
            Object argument = work.arguments().get(i);
            arguments.add(argument);
            if (extents && argument instanceof DeviceBuffer) {
                Layout layout = work.layout(i);
                for (int d = 0; d < layout.dimensions(); d++) {
                    arguments.add(layout.extent(d));
                }
            }
        }
        if (!extents) {
            arguments.add(items.items());
        }
        DeviceKernel kernel = stream.device().compile(source);
        if (!isKnown) {
            requireAsBuilt(kernel, work, arguments);
        }
        stream.launch(kernel, items, arguments);
    }

    private LaunchShape items(DeviceWork work) {
        if (shape != null) {
            return shape.apply(work);
        }
        if (over == null && dimensions == 1) {
            return LaunchShape.of(work.items());
        }
        View its = work.data(over == null ? work.arguments().size() - 1 : work.index(over));
        Box box = its.box();
        if (dimensions == 1) {
            return LaunchShape.of(box.elements());
        }
        requireMatrix(work.name(), its);
        return LaunchShape.of(box.extents()[1], box.extents()[0]);
    }
}
