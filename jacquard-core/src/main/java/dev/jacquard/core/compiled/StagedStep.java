package dev.jacquard.core.compiled;

import dev.jacquard.base.machine.Place;
import dev.jacquard.core.kernel.KernelCall;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.PlacedNode;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.residency.Continuation;
import dev.jacquard.memory.residency.DataClaim;
import dev.jacquard.memory.residency.Recomputation;
import dev.jacquard.memory.residency.Staging;
import dev.jacquard.memory.residency.Staging.Footprint;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The part of a compiled task that brings its data and uses its device: a claim per run, and perhaps work on a device.
 * No worker waits for either; the task is readied again.
 *
 * <pre>
 *  begin --all there--> IN_PLACE --host: body--> release
 *    |                    ^  |
 *    +--copies, room------+  +--device: launch----------------> OVER --> release
 * </pre>
 *
 * <p>Threads: one at a time, each ordered after the one before: the worker that runs the task, which is the device's
 * where the work is, or the thread that readies it.
 */
final class StagedStep {
    /** The phases of a task in a run. */
    enum Phase {
        /** The task has not begun. */
        IDLE,
        /** The task has a claim; all data is in place as soon as the task is readied. */
        IN_PLACE,
        /** The work is enqueued on the device; it is done as soon as the task is readied. */
        OVER
    }

    private final Staging staging;
    private final Dispatcher dispatcher;
    private final String name;
    private final Footprint footprint;
    private final Place place;
    /** The work of a device; null for the host, and for a task that only has its data brought to its place. */
    private final KernelCall.@Nullable OnDevice work;

    /** How to do the work again; null when that is unknown. */
    private final @Nullable Recomputation recipe;

    /** The launch before the task is ready; null where there is no work of a device. */
    private final @Nullable StepAhead ahead;
    /** The task for the worker of the device; null where there is no work of a device. */
    private final @Nullable AtDevice atDevice;

    /** Memory of the run's claim. */
    private final KnownMemory known = new KnownMemory();

    /** The task itself. Written by the builder, before anything runs. */
    private @Nullable CompiledTask task;

    /** Readies the task. */
    private final Continuation ready = new Continuation() {
        @Override
        public void run() {
            // Where the device has nothing to do after the task, a worker of the host ends it, and goes on.
            dispatcher.ready(phase == Phase.OVER && !ahead().goesOn() ? Objects.requireNonNull(task) : node());
        }

        @Override
        public boolean isUnwanted() {
            return Objects.requireNonNull(task).cancelled();
        }
    };

    private Phase phase = Phase.IDLE;
    /** The claim of the run in flight, from {@link #begin} on; null outside of a run. */
    private @Nullable DataClaim claim;
    /** The failure of the device; null for none. */
    private @Nullable Throwable error;

    StagedStep(
            Staging staging,
            Dispatcher dispatcher,
            String name,
            AccessList accesses,
            Place place,
            KernelCall.@Nullable OnDevice work,
            @Nullable Recomputation recipe) {
        this.staging = staging;
        this.dispatcher = dispatcher;
        this.name = name;
        this.footprint = staging.footprint(accesses);
        this.place = place;
        this.work = work;
        this.recipe = recipe;
        this.ahead = work == null ? null : new StepAhead(this);
        this.atDevice = work == null ? null : new AtDevice(place);
        staging.requireFits(name, accesses, place);
    }

    void bind(CompiledTask its) {
        task = its;
    }

    /** Returns true if the task's work is a device's. */
    boolean launches() {
        return work != null;
    }

    /** Returns true if the task's data is to be in the memory of a device. */
    boolean isOnDevice() {
        return place.isDevice();
    }

    Place place() {
        return place;
    }

    /** Returns the node that goes on with the task: it is for the worker of the device where the work is a device's. */
    Node node() {
        return Objects.requireNonNull(atDevice == null ? task : atDevice);
    }

    StepAhead ahead() {
        return Objects.requireNonNull(ahead);
    }

    Phase phase() {
        return phase;
    }

    /**
     * Makes the claim. Returns true if all data is in place; else the task is readied again once it is, or cannot be.
     */
    boolean begin() {
        staging.expect(place, 1);
        DataClaim early = ahead == null ? null : ahead.take();
        DataClaim its = early == null ? made() : early;
        claim = its;
        phase = Phase.IN_PLACE;
        return its.begin(ready);
    }

    /** Returns a claim for the run in flight, which has not begun. */
    DataClaim made() {
        DataClaim its = staging.claim(name, footprint, place, recipe, false);
        if (work == null && place.isDevice()) {
            its.brings();
        }
        return its;
    }

    /** Returns true if the task is still to come in the run in flight, and nothing is known that keeps it from it. */
    boolean isAwaited() {
        CompiledTask its = Objects.requireNonNull(task);
        return phase == Phase.IDLE && !its.cancelled() && its.run.outcomeOf(its.number()) == null;
    }

    /** Enqueues the work on the device before the task is ready; see {@link DataClaim#launchAhead}. */
    DataClaim.Ahead launchAhead(DataClaim made, int stream) {
        KernelCall.OnDevice its = Objects.requireNonNull(work);
        return made.launchAhead(stream, its.body(), its.numbers());
    }

    /** Returns the reason why data is not in place; null when all is. */
    @Nullable
    Throwable missing() {
        return claim().failure();
    }

    DataClaim claim() {
        return Objects.requireNonNull(claim);
    }

    /**
     * Returns the memory of a part.
     *
     * @param held the claim of the run; null when the task has its own
     */
    Memory memory(Data data, Box part, @Nullable DataClaim held) {
        if (held == null) {
            return claim().memory(data, part);
        }
        Memory its = known.of(data, part);
        if (its == null) {
            footprint.requireDeclared(name, data, part); // the claim of the run includes accesses of other tasks, too
            its = held.memory(data, part);
            known.keep(data, part, its);
        }
        return its;
    }

    /** Forgets where the run's claim had the task's data. */
    void forgetMemory() {
        known.forget();
    }

    /** Returns the task's accesses in the form that the staging uses. */
    Footprint footprint() {
        return footprint;
    }

    /** Enqueues the work on the device. The task is readied again when the device is done. By the device's worker. */
    void launch() {
        phase = Phase.OVER;
        KernelCall.OnDevice its = Objects.requireNonNull(work);
        DataClaim mine = claim();
        try {
            mine.launch(its.body(), its.numbers()).whenComplete((value, failure) -> over(failure));
        } catch (Throwable e) {
            over(e);
        }
        ahead().told(mine.stream());
    }

    private void over(@Nullable Throwable failure) {
        error = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        ready.run();
    }

    /** Returns the failure of the device; null for none. */
    @Nullable
    Throwable error() {
        return error;
    }

    /** Releases the claim of a task that is over. If the task ended {@code well}, its values are now the newest. */
    void release(boolean well) {
        take().release(well);
    }

    /** Gives back the claim of a task that does not begin: the data that it was to write is unchanged. */
    void giveBack() {
        take().release(false, List.of());
    }

    /**
     * Returns true if no device works for the task, which has a claim, and ends without a launch; else the task is
     * readied again then.
     */
    boolean isSettled() {
        return claim().isSettled(ready);
    }

    /** Returns true if the kernel was enqueued before the task was ready, so that the device may have run it. */
    boolean hasBegun() {
        return ahead != null && ahead.hasBegun();
    }

    /** Ends a task that makes no claim. Returns true if no device works for it; else the task is readied again then. */
    boolean abandon() {
        return ahead == null || ahead.abandon(ready);
    }

    private DataClaim take() {
        staging.expect(place, -1);
        DataClaim its = claim();
        claim = null;
        error = null;
        phase = Phase.IDLE;
        return its;
    }

    /** The task as a node for the worker of its device. */
    final class AtDevice extends PlacedNode {
        AtDevice(Place where) {
            place(where);
        }

        @Override
        public void run(WorkerContext context) {
            ((DeviceTask) task()).performThere(context);
        }

        CompiledTask task() {
            return Objects.requireNonNull(task);
        }

        @Override
        public String graphName() {
            return task().graphName();
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
