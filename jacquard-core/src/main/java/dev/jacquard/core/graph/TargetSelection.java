package dev.jacquard.core.graph;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.core.kernel.KernelCall;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.KernelCompilationException;
import dev.jacquard.memory.residency.DataClaim;
import dev.jacquard.memory.residency.Recomputation;
import dev.jacquard.memory.residency.Staging;
import dev.jacquard.memory.residency.Staging.Footprint;
import dev.jacquard.memory.residency.Staging.PlannedAccess;
import java.util.List;
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
    private final DependencyDomain domain;
    private final Dispatcher dispatcher;
    /** The staging; null if there is no data but the host's, and so no device. */
    private final @Nullable Staging staging;

    private final KernelTask task;
    /** The needs of the task; null before they are asked for. */
    private @Nullable Footprint footprint;

    private final KernelCall call;
    /** The earlier tasks of the recording that the task goes to; null if it is to run. */
    private final @Nullable RecordedWork recorded;
    /** The target that the task was submitted for; null for none. */
    private final @Nullable ExecutionTarget named;
    /** The target where the task must run; null for any. */
    private @Nullable ExecutionTarget wanted;
    /** True if the task may leave {@link #wanted} when that is lost, or when the task fails there. */
    private boolean mayLeave;
    /** True if the task is for the main thread. */
    private final boolean isMain;

    private final TriedPlaces tried = new TriedPlaces();
    /** The place where the task goes now; null before the first choice. */
    private @Nullable Place where;
    /** The work in that place; null before the first choice. */
    private KernelCall.@Nullable Work work;
    /** The choice between the host and devices; null where the host is not weighed against a device. */
    private @Nullable HostWeighing weighing;

    TargetSelection(
            DependencyDomain domain,
            KernelTask task,
            KernelCall call,
            @Nullable RecordedWork recorded,
            @Nullable ExecutionTarget wanted,
            boolean isMain,
            boolean mayLeave) {
        this.domain = domain;
        this.dispatcher = domain.dispatcher;
        this.staging = domain.stagingOrNull();
        this.task = task;
        this.call = call;
        this.recorded = recorded;
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
        Staging its = staging;
        if (its == null) {
            return false;
        }
        DevicePlaces places = domain.choices.take(dispatcher, its);
        boolean host = offer(places, its, lost);
        Place chosen = lost || places.size() < 2 ? places.first() : choose(places);
        if (chosen != null) {
            if (where == null && host && recorded == null && places.size() > 1) {
                weighing = new HostWeighing(dispatcher, task, footprint(its), places, chosen);
            }
            goTo(chosen);
        }
        places.end();
        return chosen != null;
    }

    private Place choose(DevicePlaces places) {
        Footprint its = footprint(Objects.requireNonNull(staging));
        return recorded == null ? places.choose(task, its, null) : places.chooseRecorded(task, its, recorded);
    }

    /** Offers the places that the task could go to. Returns true if the host is weighed against a device. */
    private boolean offer(DevicePlaces places, Staging its, boolean lost) {
        Set<ExecutionTarget> targets = call.targets(wantsEmulated()); // once, and not for each device
        boolean host = !lost && weighsHost(targets);
        List<Place> all = dispatcher.places();
        for (int i = 0; i < all.size(); i++) { // no stream, no iterator: each launch comes here
            Place place = all.get(i);
            boolean able = place == Place.HOST
                    ? host
                    : place.isDevice() && (wanted == null || place.is(wanted)) && isFor(targets, place);
            if (able && !tried.has(place) && its.isLost(place) == lost) {
                places.offer(place);
            }
        }
        return host;
    }

    /** Offers the places that the task could go to now: the host and the devices in service. */
    void offer(DevicePlaces places) {
        boolean _ = offer(places, Objects.requireNonNull(staging), false);
    }

    private Footprint footprint(Staging its) {
        Footprint known = footprint;
        if (known == null) {
            known = its.footprint(task.accesses());
            footprint = known;
        }
        return known;
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
        if (weighing == null) {
            return false;
        }
        DevicePlaces places = domain.choices.take(dispatcher, Objects.requireNonNull(staging));
        boolean moved = weighing.moves(this, places, plan);
        places.end();
        return moved;
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
        if (stays || staging == null || staging.fits(footprint(staging), device)) {
            return;
        }
        tried.add(device, new IllegalArgumentException("the data does not fit"));
        if (chooseOther()) {
            weighing = null;
        }
        tried.clear();
    }

    /** Returns the place of a kind that the user may want; null for none. */
    private @Nullable Place placeOf(ExecutionTarget kind) {
        return wanted == null || wanted.equals(kind) ? dispatcher.place(kind) : null;
    }

    private boolean chooseOther() {
        for (ExecutionTarget kind : call.targets()) {
            Place place = placeOf(kind);
            if (place != null && !tried.has(place)) {
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
        if (!isTheDevices(error) || TriedPlaces.writesBeside(accesses(), error)) {
            return false;
        }
        Place from = where();
        tried.add(from, error);
        while (choose() || leaveWanted()) {
            try {
                Objects.requireNonNull(staging).requireFits(task.name(), task.accesses(), where());
                its.place(where());
                staging.fellBack(task.name(), from, where(), error);
                return true;
            } catch (IllegalArgumentException e) { // the data does not fit there
                tried.add(where(), e);
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

    /** Returns the exception for threads that wait for the task, when the task has no other place to go to. */
    Throwable explain(Throwable error) {
        if (!isTheDevices(error)) {
            return error;
        }
        return TriedPlaces.writesBeside(accesses(), error)
                ? new DeviceException(
                        "task \"" + task.name() + "\" failed on " + where() + ", and is not run elsewhere,"
                                + " since the accesses of other tasks let these write its data concurrently",
                        error)
                : tried.explain(task.name(), call, wanted, error);
    }
}
