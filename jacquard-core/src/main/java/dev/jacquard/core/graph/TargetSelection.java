package dev.jacquard.core.graph;

import dev.jacquard.base.machine.Target;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.DeviceBody;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceLostException;
import dev.jacquard.memory.device.KernelCompilationException;
import dev.jacquard.memory.residency.DataClaim;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Where a task with a kernel runs, and where it goes when that fails: to each place at most once, so that this ends.
 *
 * <p>A device that is lost, or refuses, or fails a launch sends its task on; what the task itself does wrong, such as
 * wrong arguments or a kernel that does not compile, does not, and neither does what fails on the host.
 *
 * <p>Threads: the submitter's, then confined to whoever runs the task.
 *
 * <p>Source: the project's design, section 8.
 */
final class TargetSelection {
    private final DependencyDomain domain;
    private final String task;
    private final Kernel kernel;
    private final List<Object> numbers;
    /** What the user named; null for nothing. */
    private final @Nullable Target wanted;
    /** Its data, in the order of its accesses. */
    private final List<View> data;
    /** What the task accesses. */
    private final AccessList declared;

    /** Where it was tried, and why that failed. */
    private final Map<Target, Throwable> tried = new LinkedHashMap<>(0);
    /** Where it goes now; null before the first choice. */
    private @Nullable Target where;

    private Kernel.@Nullable Implementation implementation;

    TargetSelection(
            DependencyDomain domain,
            String task,
            Kernel kernel,
            List<Object> numbers,
            List<View> data,
            @Nullable Target wanted,
            AccessList declared) {
        this.domain = domain;
        this.task = task;
        this.kernel = kernel;
        this.numbers = numbers;
        this.data = data;
        this.wanted = wanted;
        this.declared = declared;
    }

    /**
     * Throws unless every implementation for devices can work with the arguments, before a device counts the task as
     * its own.
     */
    void requireFits() {
        for (Kernel.Implementation one : kernel.implementations().values()) {
            if (one instanceof Kernel.OnDevice device) {
                device.body().requireFits(task, numbers, data);
            }
        }
    }

    /** Chooses where to go first, a lost device only where nothing else is left; false when there is nowhere. */
    boolean begin() {
        return choose(false) || choose(true);
    }

    Target where() {
        return Objects.requireNonNull(where);
    }

    Kernel.Implementation implementation() {
        return Objects.requireNonNull(implementation);
    }

    /** What the device does that was chosen. */
    Recording.OnDevice onDevice() {
        return new Recording.OnDevice(named((Kernel.OnDevice) implementation()), numbers);
    }

    private DeviceBody named(Kernel.OnDevice device) {
        return NamedWork.body(device.body(), kernel.parameters());
    }

    List<Object> numbers() {
        return numbers;
    }

    /**
     * The device on which it should end first, of all kinds that the kernel has; or else the first other target that is
     * there; none that was tried.
     */
    private boolean choose(boolean lost) {
        Map<Target, Kernel.Implementation> kinds = new LinkedHashMap<>();
        kernel.forDevices(wantsEmulated()).forEach((kind, its) -> {
            if (hasDevice(kind)) {
                kinds.put(kind, its);
            }
        });
        if (!kinds.isEmpty() && chooseDevice(kinds, lost)) {
            return true;
        }
        for (Map.Entry<Target, Kernel.Implementation> one :
                kernel.implementations().entrySet()) {
            Target kind = one.getKey();
            boolean fits = wanted == null || wanted.equals(kind);
            if (fits && domain.dispatcher.placeOf(kind) >= 0 && !tried.containsKey(kind)) {
                where = kind;
                implementation = one.getValue();
                return true;
            }
        }
        return false;
    }

    private boolean chooseDevice(Map<Target, Kernel.Implementation> kinds, boolean lost) {
        Target device = lost
                ? domain.staging().lost(kinds.keySet(), wanted)
                : domain.staging().choose(task, kernel.name(), kinds.keySet(), wanted, declared, tried.keySet());
        if (device == null) {
            return false;
        }
        for (Map.Entry<Target, Kernel.Implementation> one : kinds.entrySet()) {
            if (domain.staging().devices(one.getKey()).contains(device)) {
                where = device;
                implementation = one.getValue();
                return true;
            }
        }
        throw new IllegalStateException(device + " is of none of " + kinds.keySet());
    }

    /** Whether the user named emulated devices, or one of them. */
    private boolean wantsEmulated() {
        return wanted != null
                && domain.hasStaging()
                && (wanted.equals(Target.EMULATED)
                        || domain.staging().devices(Target.EMULATED).contains(wanted));
    }

    private boolean hasDevice(Target kind) {
        return domain.hasStaging()
                && domain.staging().hasDevice(kind)
                && (wanted == null || domain.staging().hasDevice(wanted));
    }

    /** From the task's body: begins the work where the task is. */
    CompletionStage<@Nullable Void> start(TaskContext context) throws Exception {
        switch (implementation()) {
            case Kernel.OnDevice device -> {
                TaskNode its = (TaskNode) context;
                DataClaim claim = Objects.requireNonNull(Objects.requireNonNull(its.extras()).claim);
                CompletionStage<?> done = claim.launch(named(device), numbers);
                LaunchAhead.told(its, claim);
                return done.thenApply(any -> null);
            }
            case Kernel.OnHost host -> host.body().run(new HostArguments(kernel.parameters(), numbers, data, context));
            case Kernel.Plain plain -> plain.body().run(context);
        }
        return CompletableFuture.completedStage(null);
    }

    /** Tells the device before the task is ready; see {@link DataClaim#launchAhead}. */
    DataClaim.Ahead launchAhead(DataClaim claim, int before) {
        return claim.launchAhead(before, named((Kernel.OnDevice) implementation()), numbers);
    }

    /** Returns whether the task has failed at some place. */
    boolean wasTried() {
        return !tried.isEmpty();
    }

    /** Whether the task goes elsewhere now that {@code error} was the end of it where it was. */
    boolean goesOn(TaskNode its, Throwable error) {
        if (!isTheDevices(error)) {
            return false;
        }
        Target from = where();
        tried.put(from, error);
        while (choose(false)) {
            try {
                byte place = (byte) domain.dispatcher.placeOf(where());
                domain.staging().requireFits(task, declared, place);
                its.place(place);
                domain.staging().fellBack(task, from, where(), error);
                return true;
            } catch (IllegalArgumentException e) { // does not fit there
                tried.put(where(), e);
            }
        }
        where = from;
        return false;
    }

    /**
     * Whether {@code error} is the device's failure, and not the kernel's: one that does not compile is for its author
     * to mend.
     */
    private boolean isTheDevices(Throwable error) {
        return implementation instanceof Kernel.OnDevice
                && error instanceof DeviceException
                && !(error instanceof KernelCompilationException);
    }

    /** What to tell who waits for the task, when it has nowhere else to go. */
    Throwable explain(Throwable error) {
        if (!isTheDevices(error)) {
            return error;
        }
        StringBuilder text = new StringBuilder("task \"" + task + "\" has nowhere else to run: ");
        tried.forEach((target, why) ->
                text.append(target).append(" failed (").append(why.getMessage()).append("); "));
        text.append("kernel \"")
                .append(kernel.name())
                .append("\" is implemented for ")
                .append(kernel.targets());
        if (wanted != null) {
            text.append(", the task is for ")
                    .append(wanted)
                    .append(" alone: without on(")
                    .append(wanted)
                    .append(") it could go to another target of its kernel");
        } else if (kernel.targets().contains(Target.HOST)) {
            text.append(": give the session more devices of these kinds");
        } else {
            text.append(
                    ": give it an implementation for the host (onHost), or the session more devices of these kinds");
        }
        DeviceException told = error instanceof DeviceLostException
                ? new DeviceLostException(text.toString())
                : new DeviceException(text.toString());
        told.initCause(error);
        return told;
    }
}
