package dev.jacquard.core.kernel;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.DeviceBody;
import dev.jacquard.memory.residency.Parts;
import dev.jacquard.memory.residency.Recomputation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A kernel with the arguments of one task. For graphs, which choose the place where it runs. Immutable. */
public final class KernelCall {
    private final Kernel kernel;
    private final String task;
    private final List<Object> numbers;
    private final AccessList accesses;
    private final List<View> data;

    /** An implementation with its arguments. */
    public sealed interface Work {}

    /** Work for a worker. */
    public record OnHost(KernelBody body) implements Work {}

    /** Work for a device. */
    public record OnDevice(DeviceBody body, List<Object> numbers) implements Work {}

    /**
     * Creates a call.
     *
     * @param task the name of the task
     * @param declared the accesses that the task declares
     * @param numbers the first arguments
     * @throws IllegalArgumentException if a number is of a class that devices do not know, or if the arguments do not
     *     fit the kernel or one of its implementations for devices
     */
    public KernelCall(Kernel kernel, String task, AccessList declared, Number... numbers) {
        this.kernel = kernel;
        this.task = task;
        this.numbers = known(numbers);
        Parameters parameters = kernel.parameters();
        this.accesses = parameters == null ? declared : parameters.bound(declared, numbers.length);
        this.data = Parts.views(accesses);
        if (parameters != null) {
            parameters.require(task, this.numbers, accesses, data);
        }
        for (Kernel.Implementation one : kernel.implementations().values()) {
            if (one instanceof Kernel.OnDevice device) {
                device.body().requireFits(task, this.numbers, data);
            }
        }
    }

    /** Returns the numbers, each of a class that every kind of device takes. */
    private List<Object> known(Number... given) {
        for (int i = 0; i < given.length; i++) {
            Number one = given[i];
            if (!(one instanceof Integer || one instanceof Long || one instanceof Float || one instanceof Double)) {
                throw new IllegalArgumentException("task \"" + task + "\": number " + (i + 1) + " for kernel \""
                        + kernel.name() + "\" is "
                        + one.getClass().getSimpleName() + " " + one
                        + ": give an Integer, Long, Float or Double");
            }
        }
        return List.of((Object[]) given);
    }

    /** Returns the accesses of the task, with its data in the order of the kernel's parameters. */
    public AccessList accesses() {
        return accesses;
    }

    /** Returns the targets that have implementations, in the order in which they were given. */
    public Set<ExecutionTarget> targets() {
        return kernel.targets();
    }

    /**
     * Returns the targets of {@link #in}.
     *
     * @param emulated true if emulated devices may run the host's implementation of a kernel that is for no device
     */
    public Set<ExecutionTarget> targets(boolean emulated) {
        return kernel.forDevices(emulated).keySet();
    }

    /** Returns the work for workers or devices of {@code target}, which is one of {@link #targets}. */
    public Work on(ExecutionTarget target) {
        return work(kernel.implementations().get(target));
    }

    /**
     * Returns the work in {@code place}; null if no implementation is for it.
     *
     * @param emulated true if emulated devices may run the host's implementation of a kernel that is for no device
     */
    public @Nullable Work in(Place place, boolean emulated) {
        for (Map.Entry<ExecutionTarget, Kernel.Implementation> one :
                kernel.forDevices(emulated).entrySet()) {
            if (place.is(one.getKey())) {
                return work(one.getValue());
            }
        }
        return null;
    }

    private Work work(Kernel.@Nullable Implementation implementation) {
        Parameters parameters = kernel.parameters();
        return switch (implementation) {
            case Kernel.Plain plain -> new OnHost(plain.body());
            case Kernel.OnHost host ->
                new OnHost(context -> host.body().run(new HostArguments(parameters, numbers, data, context)));
            case Kernel.OnDevice device -> new OnDevice(NamedWork.body(device.body(), parameters), numbers);
            case null -> throw new IllegalArgumentException("kernel \"" + kernel.name() + "\" is not for that target");
        };
    }

    /** Returns the way to do the work again. */
    public Recomputation recomputation() {
        return new KernelRecomputation(kernel, numbers);
    }

    /** Returns the kernel's name and its targets, for messages. */
    @Override
    public String toString() {
        return "kernel \"" + kernel.name() + "\" is implemented for " + kernel.targets();
    }
}
