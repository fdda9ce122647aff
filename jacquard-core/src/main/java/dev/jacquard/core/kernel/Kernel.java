package dev.jacquard.core.kernel;

import dev.jacquard.base.machine.ExecutionTarget;
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
 *     .on(ExecutionTarget.HOST, ctx -> scaleOnHost(ctx.get(x)))
 *     .on(ExecutionTarget.named("dsp"), ctx -> scaleOnDsp(ctx.get(x)));
 * graph.task("scale").updates(x).run(scale);
 *
 * Kernel axpy = Kernel.named("axpy")
 *     .parameters(
 *         KernelParameter.number("a"),
 *         KernelParameter.data("x", FLOAT64),
 *         KernelParameter.data("y", FLOAT64).like("x"))
 *     .onHost(arguments -> daxpy(arguments.number("a"), arguments.memory("x"), arguments.memory("y")));
 * graph.task("axpy").reads(u).updates(v).run(axpy, 0.5);      // arguments that do not fit are refused here
 * }</pre>
 *
 * <p>Source: the abstract-runtime-system document, section II-C (task management).
 */
public final class Kernel {
    private final String name;
    private final Map<ExecutionTarget, Implementation> implementations;

    private final @Nullable Parameters parameters;

    private Kernel(String name, @Nullable Parameters parameters, Map<ExecutionTarget, Implementation> implementations) {
        this.name = name;
        this.parameters = parameters;
        this.implementations = Collections.unmodifiableMap(implementations);
    }

    /** Returns a kernel that nothing can run yet. */
    public static Kernel named(String name) {
        Objects.requireNonNull(name, "name");
        return new Kernel(name, null, Map.of());
    }

    /**
     * Returns this kernel with parameters, which name its arguments: numbers first, then the task's data. Bodies find
     * their arguments by these names, and a submission with arguments that do not fit is refused.
     *
     * <p>Numbers are bound to the first parameters, in their order. Data is bound by name where the names of all data
     * that the task accesses are names of the other parameters, each of another one: the data {@code x} is the
     * parameter {@code "x"}, whichever access the task declares first. Where any of the data has another name, or two
     * have the same (two parts of one, for example), all data is bound in the order of the task's accesses. The data
     * then has the order of the parameters for implementations that find arguments by number, too. State modes
     * ({@link KernelParameter#read}) so that a task which mixes up its data is refused.
     *
     * @throws IllegalArgumentException if two have the same name, or one is to be as large as a parameter that does not
     *     come before it
     */
    public Kernel parameters(KernelParameter... expected) {
        Objects.requireNonNull(expected, "expected");
        for (KernelParameter one : expected) {
            Objects.requireNonNull(one, "one of the expected parameters");
        }
        return new Kernel(name, new Parameters(name, List.of(expected)), implementations);
    }

    /** Returns this kernel with parameters of any kind, given by name only. */
    public Kernel parameters(String... names) {
        Objects.requireNonNull(names, "names");
        for (String one : names) {
            Objects.requireNonNull(one, "one of the names");
        }
        return parameters(Arrays.stream(names).map(KernelParameter::any).toArray(KernelParameter[]::new));
    }

    /**
     * Returns this kernel with one more implementation. If the user names no target, devices come before the host and
     * other workers: of all devices for which there is an implementation, the one on which the task is expected to end
     * first. Of other targets, the targets given first are preferred.
     *
     * @throws IllegalArgumentException if the kernel has an implementation for {@code target} already
     */
    public Kernel on(ExecutionTarget target, KernelBody implementation) {
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(implementation, "implementation");
        return with(target, new Plain(implementation));
    }

    /**
     * Returns this kernel with an implementation for the host, which is given its arguments. Emulated devices run it
     * too if the kernel has no implementation for them: in place of other devices if the kernel is for any, otherwise
     * only if the task asks for them ({@code on(ExecutionTarget.EMULATED)}). There the implementation has its
     * arguments, and nothing else of its task. Throws like {@link #on}.
     */
    public Kernel onHost(HostBody implementation) {
        Objects.requireNonNull(implementation, "implementation");
        return with(ExecutionTarget.HOST, new OnHost(implementation));
    }

    /**
     * Returns this kernel with an implementation for devices of {@code target}. A task's arguments are checked against
     * every implementation for devices when the task is submitted ({@link DeviceBody#requireFits}), wherever the task
     * is to run. Throws like {@link #on}.
     */
    public Kernel onDevice(ExecutionTarget target, DeviceBody implementation) {
        Objects.requireNonNull(target, "target");
        Objects.requireNonNull(implementation, "implementation");
        return with(target, new OnDevice(implementation));
    }

    private Kernel with(ExecutionTarget target, Implementation implementation) {
        if (implementations.containsKey(target)) {
            throw new IllegalArgumentException(
                    "kernel \"" + name + "\" has an implementation for " + target + " already");
        }
        Map<ExecutionTarget, Implementation> more = new LinkedHashMap<>(implementations);
        more.put(target, implementation);
        return new Kernel(name, parameters, more);
    }

    /** Returns the kernel's name. */
    public String name() {
        return name;
    }

    /** Returns the targets that have implementations, in the order in which they were given. */
    public Set<ExecutionTarget> targets() {
        return implementations.keySet();
    }

    /** Returns the parameters; null if the kernel does not name them. */
    @Nullable
    Parameters parameters() {
        return parameters;
    }

    Map<ExecutionTarget, Implementation> implementations() {
        return implementations;
    }

    /** Returns the implementation for devices of {@code kind}; null for none. */
    @Nullable
    DeviceBody onDevice(ExecutionTarget kind) {
        return forDevices(true).get(kind) instanceof OnDevice device ? device.body() : null;
    }

    /**
     * Returns the implementations, and the one that emulated devices run in place of other devices.
     *
     * @param emulated true to include that one for a kernel that is for no other device, too
     */
    Map<ExecutionTarget, Implementation> forDevices(boolean emulated) {
        if (implementations.containsKey(ExecutionTarget.EMULATED)
                || !(implementations.get(ExecutionTarget.HOST) instanceof OnHost host)
                || !(emulated || implementations.values().stream().anyMatch(OnDevice.class::isInstance))) {
            return implementations;
        }
        Map<ExecutionTarget, Implementation> all = new LinkedHashMap<>(implementations);
        all.put(ExecutionTarget.EMULATED, new OnDevice(new EmulatedHostBody(name, parameters, host.body())));
        return all;
    }

    /** An implementation of a kernel, by the kind of its body. */
    sealed interface Implementation {}

    /** An implementation by a body that knows its data. */
    record Plain(KernelBody body) implements Implementation {}

    /** An implementation by a body that is given its data. */
    record OnHost(HostBody body) implements Implementation {}

    /** An implementation for a device. */
    record OnDevice(DeviceBody body) implements Implementation {}

    /** The implementation of a kernel for the host. */
    @FunctionalInterface
    public interface HostBody {
        /** Does the work. An exception fails the task. */
        void run(Arguments arguments) throws Exception;
    }
}
