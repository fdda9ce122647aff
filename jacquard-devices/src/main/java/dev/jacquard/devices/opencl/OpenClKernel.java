package dev.jacquard.devices.opencl;

import static dev.jacquard.devices.opencl.ClFunctions.CL;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceKernel;
import dev.jacquard.memory.device.LaunchShape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A kernel with its parameters. The driver keeps arguments in it until it is launched, so setting them and launching is
 * one section.
 */
final class OpenClKernel implements DeviceKernel {
    private static final int NUM_ARGS = 0x1191;
    private static final int WORK_GROUP_SIZE = 0x11B0;

    private final OpenClDevice device;
    private final String name;
    private final long kernel;
    private final List<Parameter> parameters;
    private final long largestGroup;

    /** Guards the arguments in the driver and {@code value}. */
    private final Object launching = new Object();

    private final MemorySegment value;

    /**
     * @param kernel owned by this from now on, if this returns
     * @param arena borrowed; must outlive this
     */
    OpenClKernel(OpenClDevice device, String name, long kernel, Arena arena) {
        this.device = device;
        this.name = name;
        this.kernel = kernel;
        this.value = arena.allocate(JAVA_LONG);
        String who = "kernel \"" + name + "\" of " + device.name();
        int count = (int) ClInfo.of(CL::clGetKernelInfo, who, kernel).number(NUM_ARGS);
        List<Parameter> found = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            found.add(Parameter.of(kernel, i, who));
        }
        this.parameters = List.copyOf(found);
        this.largestGroup = ClInfo.of(CL::clGetKernelWorkGroupInfo, who, kernel, device.id())
                .number(WORK_GROUP_SIZE);
    }

    @Override
    public OpenClDevice device() {
        return device;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<String> declarations() {
        return parameters.stream().anyMatch(one -> one.type().isEmpty())
                ? List.of()
                : parameters.stream().map(Parameter::declaration).toList();
    }

    /**
     * Requires that a launch can be made.
     *
     * @throws IllegalArgumentException when groups do not fit, or arguments not the parameters
     */
    void check(LaunchShape shape, List<?> arguments) {
        if (shape.groupX() > 0) {
            checkGroups(shape);
        }
        if (arguments.size() != parameters.size()) {
            throw new IllegalArgumentException("kernel \"" + name + "\" takes " + parameters.size() + " arguments ("
                    + parameters.stream().map(Parameter::declaration).collect(Collectors.joining(", "))
                    + "), not " + arguments.size());
        }
        for (int i = 0; i < arguments.size(); i++) {
            if (!parameters.get(i).kind().accepts(arguments.get(i))) {
                throw unfit(i, arguments.get(i));
            }
            if (arguments.get(i) instanceof DeviceBuffer buffer) {
                device.own(buffer).memory();
            }
        }
    }

    /**
     * Tells a queue to run it.
     *
     * @param arguments that {@link #check} let pass
     * @param sizes six numbers of scratch memory
     * @param waits a list of events; it waits for the first
     * @param event where its own goes
     * @return the driver's status
     */
    int enqueue(
            long queue,
            LaunchShape shape,
            List<?> arguments,
            MemorySegment sizes,
            MemorySegment waits,
            MemorySegment event) {
        sizes.setAtIndex(JAVA_LONG, 0, whole(shape.x(), shape.groupX()));
        sizes.setAtIndex(JAVA_LONG, 1, whole(shape.y(), shape.groupY()));
        sizes.setAtIndex(JAVA_LONG, 2, whole(shape.z(), shape.groupZ()));
        MemorySegment group = MemorySegment.NULL;
        if (shape.groupX() > 0) {
            sizes.setAtIndex(JAVA_LONG, 3, shape.groupX());
            sizes.setAtIndex(JAVA_LONG, 4, shape.groupY());
            sizes.setAtIndex(JAVA_LONG, 5, shape.groupZ());
            group = sizes.asSlice(3 * Long.BYTES);
        }
        synchronized (launching) {
            for (int i = 0; i < arguments.size(); i++) {
                set(i, arguments.get(i));
            }
            return CL.clEnqueueNDRangeKernel(
                    queue, kernel, dimensions(shape), MemorySegment.NULL, sizes, group, 1, waits, event);
        }
    }

    void close() {
        ClStatus.check(CL.clReleaseKernel(kernel), device.name(), "release kernel \"" + name + '"');
    }

    @Override
    public String toString() {
        return "kernel \"" + name + "\" of " + device.name();
    }

    private void set(int index, Object argument) {
        long size = switch (argument) {
            case OpenClBuffer buffer -> {
                value.set(JAVA_LONG, 0, buffer.memory());
                yield Long.BYTES;
            }
            case Integer number -> {
                value.set(JAVA_INT, 0, number);
                yield Integer.BYTES;
            }
            case Long number -> {
                value.set(JAVA_LONG, 0, number);
                yield Long.BYTES;
            }
            case Float number -> {
                value.set(JAVA_FLOAT, 0, number);
                yield Float.BYTES;
            }
            case Double number -> {
                value.set(JAVA_DOUBLE, 0, number);
                yield Double.BYTES;
            }
            default -> throw unfit(index, argument);
        };
        int status = CL.clSetKernelArg(kernel, index, size, value);
        if (status < 0) {
            throw new IllegalArgumentException(
                    unfit(index, argument).getMessage() + ", says the driver: " + ClStatus.name(status));
        }
    }

    private IllegalArgumentException unfit(int index, Object argument) {
        Parameter parameter = parameters.get(index);
        return new IllegalArgumentException("argument " + (index + 1) + " of kernel \"" + name + "\", \""
                + parameter.declaration() + "\", takes " + parameter.expected() + ", not "
                + argument.getClass().getSimpleName() + " " + argument);
    }

    private void checkGroups(LaunchShape shape) {
        long items = (long) shape.groupX() * shape.groupY() * shape.groupZ();
        if (items > largestGroup) {
            throw new IllegalArgumentException("groups of " + groups(shape) + " are more than the " + largestGroup
                    + " work items that kernel \"" + name + "\" can have in a group on " + device.name());
        }
    }

    private static String groups(LaunchShape shape) {
        return shape.groupX() + " x " + shape.groupY() + " x " + shape.groupZ();
    }

    /** As many items as fill groups: OpenCL C 1.2 has no smaller last group. The kernel skips the items beyond. */
    private static long whole(long items, int group) {
        return group == 0 ? items : Math.multiplyExact(Math.ceilDiv(items, group), group);
    }

    private static int dimensions(LaunchShape shape) {
        return shape.z() > 1 || shape.groupZ() > 1 ? 3 : shape.y() > 1 || shape.groupY() > 1 ? 2 : 1;
    }
}
