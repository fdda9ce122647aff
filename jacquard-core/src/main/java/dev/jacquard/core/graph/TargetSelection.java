package dev.jacquard.core.graph;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.core.kernel.KernelCall;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.DeviceLostException;
import dev.jacquard.memory.device.KernelCompilationException;
import dev.jacquard.memory.residency.DataClaim;
import dev.jacquard.memory.residency.Parts;
import dev.jacquard.memory.residency.Recomputation;
import dev.jacquard.memory.residency.Staging;
import dev.jacquard.memory.residency.Staging.PlannedAccess;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The choice of the place where a task with a kernel runs, and of the next place when that fails. A task goes to each
 * place at most once, so the search ends.
 *
 * <p>A task goes on to another place when its device is lost, refuses the task, or fails a launch. It does not go on
 * after an error of the task itself, such as wrong arguments or a kernel that does not compile, nor after a failure on
 * the host.
 *
 * <p>Threads: confined to the submitter, then to the worker that runs the task.
 *
 * <p>Source: the project's design, section 8.
 */
final class TargetSelection {
    private final Dispatcher dispatcher;
    /** The staging; null if there is no data but the host's, and so no device. */
    private final @Nullable Staging staging;

    private final KernelTask task;
    private final KernelCall call;
    /** The target that the task was submitted for; null for none. */
    private final @Nullable ExecutionTarget named;
    /** The target where the task must run; null for any. */
    private @Nullable ExecutionTarget wanted;
    /** True if the task may leave {@link #wanted} when that is lost, or when the task fails there. */
    private boolean mayLeave;
    /** True if the task is for the main thread. */
    private final boolean isMain;

    /** The places where the task was tried, and the failures there. */
    private final Map<Place, Throwable> tried = new LinkedHashMap<>(0);
    /** The place where the task goes now; null before the first choice. */
    private @Nullable Place where;
    /** The work in that place; null before the first choice. */
    private KernelCall.@Nullable Work work;
    /** The choice between the host and devices; null where the host is not weighed against a device. */
    private @Nullable HostWeighing weighing;

    TargetSelection(
            Dispatcher dispatcher,
            @Nullable Staging staging,
            KernelTask task,
            KernelCall call,
            @Nullable ExecutionTarget wanted,
            boolean isMain,
            boolean mayLeave) {
        this.dispatcher = dispatcher;
        this.staging = staging;
        this.task = task;
        this.call = call;
        this.named = wanted;
        this.wanted = wanted;
        this.isMain = isMain;
        this.mayLeave = mayLeave;
    }

    /**
     * Chooses the first place; a lost device only when no other place is left.
     *
     * @throws IllegalStateException when there is no such place
     */
    void begin() {
        if (chooseDevice(false)) {
            leaveIfTooSmall();
            if (staging != null && weighsHost(call.targets(wantsEmulated()))) {
                weighing = new HostWeighing(dispatcher, staging, task, where());
            }
            return;
        }
        if (chooseOther()) {
            return;
        }
        if (chooseDevice(true)) { // out of service: another place is better, if the task may go there
            boolean _ = leaveWanted();
            return;
        }
        throw new IllegalStateException("task \"" + task.name() + "\": " + call
                + (isMain ? ", and the task is for the main thread, which runs tasks for the host alone" : "")
                + (wanted == null
                        ? ", and this session has workers for " + dispatcher.places()
                                + " alone: open it with a device for one of these"
                        : ", and not for " + wanted + ", which the task is for"));
    }

    Place where() {
        return Objects.requireNonNull(where);
    }

    KernelCall.Work work() {
        return Objects.requireNonNull(work);
    }

    /** Returns the work for the chosen device. */
    KernelCall.OnDevice onDevice() {
        return (KernelCall.OnDevice) work();
    }

    AccessList accesses() {
        return task.accesses();
    }

    /**
     * Returns the way to do the work of the task again; null if that is not needed, or the task touches more than data
     * and numbers, and so may depend on anything.
     */
    @Nullable
    Recomputation recomputation() {
        AccessList accesses = accesses();
        if (accesses.isEmpty() || staging == null || !staging.wantsRecipes()) {
            return null;
        }
        for (int i = 0; i < accesses.size(); i++) {
            if (!(accesses.resource(i) instanceof Data) && !(accesses.access(i) instanceof TagAccess)) {
                return null;
            }
        }
        return call.recomputation();
    }

    /**
     * Chooses a device in service, as the policy says, of all for which the kernel has an implementation, or else the
     * first other place for which it has one; none that was tried before. Returns true if there was a choice.
     */
    private boolean choose() {
        return chooseDevice(false) || chooseOther();
    }

    /** Chooses as {@link #choose}, among all targets if the task may leave the one that it was for. */
    private boolean leaveWanted() {
        if (!mayLeave) {
            return false;
        }
        mayLeave = false;
        wanted = null;
        return choose();
    }

    private boolean chooseDevice(boolean lost) {
        boolean emulated = wantsEmulated();
        Set<ExecutionTarget> targets = call.targets(emulated); // once, and not for each device
        boolean host = !lost && weighsHost(targets);
        Place device = staging != null
                ? DevicePlaces.choose(
                        dispatcher,
                        staging,
                        task,
                        place -> (place == Place.HOST ? host : isWanted(place) && isFor(targets, place))
                                && !wasTried(place),
                        lost)
                : null;
        if (device != null) {
            goTo(device);
            return true;
        }
        return false;
    }

    /** Goes to the host or to a device. */
    void goTo(Place place) {
        where = place;
        work = place == Place.HOST ? call.on(ExecutionTarget.HOST) : call.in(place, wantsEmulated());
    }

    /** Returns true if the policy weighs the host against devices for the task, and some device could run it. */
    private boolean weighsHost(Set<ExecutionTarget> targets) {
        if (wanted != null
                || isMain
                || !dispatcher.policyQuestions().weighsHost()
                || !call.targets().contains(ExecutionTarget.HOST)) {
            return false;
        }
        for (Place place : dispatcher.places()) {
            if (place.isDevice() && isFor(targets, place)) {
                return true;
            }
        }
        return false;
    }

    /** Returns true if the host was weighed against a device, and the choice may be made again. */
    boolean isWeighed() {
        return weighing != null;
    }

    /** Chooses between the host and devices again, if that is worth it. Returns true if the task goes elsewhere. */
    boolean moves(PlannedAccess plan) {
        return weighing != null && weighing.moves(this, plan);
    }

    /** Returns the places that the task could go to now: the host and the devices in service. */
    List<Place> weighed() {
        Set<ExecutionTarget> targets = call.targets(wantsEmulated());
        Staging its = Objects.requireNonNull(staging);
        return dispatcher.places().stream()
                .filter(place -> place == Place.HOST
                        || (place.isDevice() && isFor(targets, place) && !its.isLost(place) && !wasTried(place)))
                .toList();
    }

    /**
     * Goes from the device that was chosen to another kind of place if the task's data could never have room on the
     * device; no other device has it then. Where there is none, the task is refused as it is.
     */
    private void leaveIfTooSmall() {
        Place device = where();
        boolean stays = true;
        for (ExecutionTarget kind : call.targets()) { // no stream: each launch comes here
            Place place = placeOf(kind);
            stays &= place == null || place.isDevice();
        }
        if (stays || staging == null || staging.fits(staging.footprint(accesses()), device)) {
            return;
        }
        tried.put(device, new IllegalArgumentException("the data does not fit"));
        boolean _ = chooseOther();
        tried.clear();
    }

    /** Returns the place of a kind that the user may want; null for none. */
    private @Nullable Place placeOf(ExecutionTarget kind) {
        return wanted == null || wanted.equals(kind) ? dispatcher.place(kind) : null;
    }

    private boolean chooseOther() {
        for (ExecutionTarget kind : call.targets()) {
            Place place = placeOf(kind);
            if (place != null && !wasTried(place)) {
                where = place;
                work = call.on(kind);
                return true;
            }
        }
        return false;
    }

    private static boolean isFor(Set<ExecutionTarget> targets, Place place) {
        for (ExecutionTarget target : targets) { // no stream: each launch comes here
            if (place.is(target)) {
                return true;
            }
        }
        return false;
    }

    private boolean isWanted(Place place) {
        return wanted == null || place.is(wanted);
    }

    private boolean wasTried(Place place) {
        return tried.containsKey(place);
    }

    /** Returns true if the task was submitted for emulated devices, or one of them. */
    private boolean wantsEmulated() {
        return named != null
                && dispatcher.places().stream()
                        .anyMatch(place -> place.is(named) && place.is(ExecutionTarget.EMULATED));
    }

    /** Begins the work in the place where the task is. Called by the task's body. */
    CompletionStage<@Nullable Void> start(TaskContext context) throws Exception {
        switch (work()) {
            case KernelCall.OnDevice device -> {
                TaskNode its = (TaskNode) context;
                DataClaim claim = Objects.requireNonNull(its.ownTaskRun().claim());
                CompletionStage<?> done = claim.launch(device.body(), device.numbers());
                LaunchAhead.told(its, claim);
                return done.thenApply(any -> null);
            }
            case KernelCall.OnHost host -> {
                if (weighing == null) {
                    host.body().run(context);
                } else {
                    weighing.run(host, context);
                }
            }
        }
        return CompletableFuture.completedStage(null);
    }

    /** Enqueues the kernel before the task is ready; see {@link DataClaim#launchAhead}. */
    DataClaim.Ahead launchAhead(DataClaim claim, int before) {
        return claim.launchAhead(before, onDevice().body(), onDevice().numbers());
    }

    /** Returns true if the task has failed in some place. */
    boolean wasTried() {
        return !tried.isEmpty();
    }

    /** Returns true if the task goes to another place after {@code error} ended it in the last one. */
    boolean goesOn(TaskNode its, Throwable error) {
        if (!isTheDevices(error) || writesBeside(error)) {
            return false;
        }
        Place from = where();
        tried.put(from, error);
        while (choose() || leaveWanted()) {
            try {
                Objects.requireNonNull(staging).requireFits(task.name(), task.accesses(), where());
                its.place(where());
                staging.fellBack(task.name(), from, where(), error);
                return true;
            } catch (IllegalArgumentException e) { // the data does not fit there
                tried.put(where(), e);
            }
        }
        where = from;
        return false;
    }

    /**
     * Returns true if {@code error} is a failure of the device, and not of the kernel: a kernel that does not compile
     * is for its author to mend.
     */
    private boolean isTheDevices(Throwable error) {
        return work instanceof KernelCall.OnDevice
                && error instanceof DeviceException
                && !(error instanceof KernelCompilationException);
    }

    /**
     * Returns true if the device, which still has the data, may have output that other tasks wrote concurrently with
     * the task: half done work of the task cannot be taken back without losing that output.
     */
    private boolean writesBeside(Throwable error) {
        AccessList accesses = task.accesses();
        for (int i = 0; i < accesses.size(); i++) {
            Access access = accesses.access(i);
            boolean beside = accesses.resource(i) instanceof Data && access.writes() && !Parts.isBuiltIn(access);
            if (beside && !(error instanceof DeviceLostException)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the exception for threads that wait for the task, when the task has no other place to go to. */
    Throwable explain(Throwable error) {
        if (!isTheDevices(error)) {
            return error;
        }
        if (writesBeside(error)) {
            return new DeviceException(
                    "task \"" + task.name() + "\" failed on " + where() + ", and is not run elsewhere,"
                            + " since the accesses of other tasks let these write its data concurrently",
                    error);
        }
        StringBuilder text = new StringBuilder("task \"" + task.name() + "\" has nowhere else to run: ");
        tried.forEach((target, why) ->
                text.append(target).append(" failed (").append(why.getMessage()).append("); "));
        text.append(call);
        if (wanted != null) {
            text.append(", the task is for ")
                    .append(wanted)
                    .append(" alone: without on(")
                    .append(wanted)
                    .append(") it could go to another target of its kernel");
        } else if (call.targets().contains(ExecutionTarget.HOST)) {
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
