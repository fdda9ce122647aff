package dev.jacquard.core.graph;

import dev.jacquard.base.machine.Target;
import dev.jacquard.memory.device.DeviceBody;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One piece of work with an implementation for each of several targets. Immutable.
 *
 * <pre>{@code
 * Kernel scale = Kernel.named("scale")
 *     .on(Target.HOST, ctx -> scaleOnHost(ctx.get(x)))
 *     .on(Target.named("dsp"), ctx -> scaleOnDsp(ctx.get(x)));
 * graph.task("scale").updates(x).run(scale);
 *
 * Kernel axpy = Kernel.named("axpy")
 *     .parameters(Parameter.number("a"), Parameter.data("x", FLOAT64), Parameter.data("y", FLOAT64).like("x"))
 *     .onHost(arguments -> daxpy(arguments.number("a"), arguments.memory("x"), arguments.memory("y")));
 * graph.task("axpy").reads(u).updates(v).run(axpy, 0.5);      // what does not fit is refused here
 * }</pre>
 *
 * <p>Source: the abstract-runtime-system document, section II-C (task management).
 */
public final class Kernel {
    private final String name;
    private final Map<Target, Implementation> implementations;

    private final @Nullable Parameters parameters;

    private Kernel(String name, @Nullable Parameters parameters, Map<Target, Implementation> implementations) {
        this.name = name;
        this.parameters = parameters;
        this.implementations = Collections.unmodifiableMap(implementations);
    }

    /** A kernel that nothing can run yet. */
    public static Kernel named(String name) {
        Objects.requireNonNull(name, "name");
        return new Kernel(name, null, Map.of());
    }

    /**
     * This kernel with parameters: what it is given, numbers first, then the task's data in the order of its accesses.
     * Bodies find their arguments by these names, and a submission whose arguments do not fit is refused.
     *
     * @throws IllegalArgumentException when two have one name, or one is to be as large as none before it
     */
    public Kernel parameters(Parameter... expected) {
        Objects.requireNonNull(expected, "expected");
        for (Parameter one : expected) {
            Objects.requireNonNull(one, "one of the expected parameters");
        }
        return new Kernel(name, new Parameters(name, List.of(expected)), implementations);
    }

    /** Likewise, by name only. */
    public Kernel parameters(String... names) {
        Objects.requireNonNull(names, "names");
        for (String one : names) {
            Objects.requireNonNull(one, "one of the names");
        }
        return parameters(Arrays.stream(names).map(Parameter::any).toArray(Parameter[]::new));
    }

    /**
     * This kernel with one more implementation. Where the user names no target, devices come before the host and other
     * workers: of all devices for which there is an implementation that on which the task is expected to end first. Of
     * others, those given first are preferred.
     *
     * @throws IllegalArgumentException when it has one for {@code target} already
     */
    public Kernel on(Target target, TaskBody implementation) {
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(implementation, "implementation");
        return with(target, new Plain(implementation));
    }

    /**
     * Likewise for the host, with arguments. Emulated devices run it too, where the kernel has nothing else for them: a
     * kernel that is for some kind of device does so by itself, as it would use that kind, one for the host alone where
     * the task is for them ({@code on(Target.EMULATED)}). There it has its arguments, and nothing else of its task.
     * Throws like {@link #on}.
     */
    public Kernel onHost(HostBody implementation) {
        Objects.requireNonNull(implementation, "implementation");
        return with(Target.HOST, new OnHost(implementation));
    }

    /**
     * This kernel with an implementation for devices of {@code target}. A task's arguments are held against every
     * implementation for devices when it is submitted ({@link DeviceBody#requireFits}), wherever it is to run. Throws
     * like {@link #on}.
     */
    public Kernel onDevice(Target target, DeviceBody implementation) {
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(implementation, "implementation");
        return with(target, new OnDevice(implementation));
    }

    private Kernel with(Target target, Implementation implementation) {
        if (implementations.containsKey(target)) {
            throw new IllegalArgumentException(
                    "kernel \"" + name + "\" has an implementation for " + target + " already");
        }
        Map<Target, Implementation> more = new LinkedHashMap<>(implementations);
        more.put(target, implementation);
        return new Kernel(name, parameters, more);
    }

    /** The kernel's name. */
    public String name() {
        return name;
    }

    /** For what it has implementations, in the order in which they were given. */
    public Set<Target> targets() {
        return implementations.keySet();
    }

    /** What it is given; null when it does not say. */
    @Nullable
    Parameters parameters() {
        return parameters;
    }

    Map<Target, Implementation> implementations() {
        return implementations;
    }

    /** What devices of {@code kind} do; null when they cannot do anything. */
    @Nullable
    DeviceBody onDevice(Target kind) {
        return forDevices(true).get(kind) instanceof OnDevice device ? device.body() : null;
    }

    /**
     * The implementations, and what emulated devices do in place of others.
     *
     * @param emulated whether they do that for a kernel that is for no other device either
     */
    Map<Target, Implementation> forDevices(boolean emulated) {
        if (implementations.containsKey(Target.EMULATED)
                || !(implementations.get(Target.HOST) instanceof OnHost host)
                || !(emulated || implementations.values().stream().anyMatch(OnDevice.class::isInstance))) {
            return implementations;
        }
        Map<Target, Implementation> all = new LinkedHashMap<>(implementations);
        all.put(Target.EMULATED, new OnDevice(new EmulatedHostBody(name, parameters, host.body())));
        return all;
    }

    /** How a kernel is run. */
    sealed interface Implementation {}

    /** By a body that knows its data. */
    record Plain(TaskBody body) implements Implementation {}

    /** By a body that is given its data. */
    record OnHost(HostBody body) implements Implementation {}

    /** By a device. */
    record OnDevice(DeviceBody body) implements Implementation {}
}
