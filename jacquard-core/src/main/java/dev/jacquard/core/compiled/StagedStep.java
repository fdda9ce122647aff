package dev.jacquard.core.compiled;

import dev.jacquard.base.machine.Place;
import dev.jacquard.core.graph.Recording;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.residency.DataClaim;
import dev.jacquard.memory.residency.Footprint;
import dev.jacquard.memory.residency.Staging;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * What a task of a compiled graph needs beyond its body because it accesses data: a claim per run, and a device,
 * perhaps. No worker waits for either; the task is readied again.
 *
 * <pre>
 *  begin --all there--> IN_PLACE --host: body--> release
 *    |                    ^  |
 *    +--copies, room------+  +--device: its worker launches--> OVER --> release
 * </pre>
 *
 * <p>Threads: one at a time, each behind the one before: whoever runs the task, or the thread that readies it.
 */
final class StagedStep {
    /** What the task waits for, or has. */
    enum Phase {
        /** It has not begun. */
        IDLE,
        /** It has a claim, and all is in place as soon as it is readied. */
        IN_PLACE,
        /** Its device is told what to do; it is done as soon as it is readied. */
        OVER
    }

    private final Staging staging;
    private final Dispatcher dispatcher;
    private final String name;
    private final Footprint footprint;
    private final Place place;
    /** What a device does; null for the host. */
    private final Recording.@Nullable OnDevice work;

    private final @Nullable Launch launch;

    /** Written by the builder, before anything runs. */
    private @Nullable CompiledTask task;

    private Phase phase = Phase.IDLE;
    /** In a run, from the begin on. */
    private @Nullable DataClaim claim;
    /** How the device failed. */
    private @Nullable Throwable error;

    StagedStep(
            Staging staging,
            Dispatcher dispatcher,
            String name,
            AccessList accesses,
            Place place,
            Recording.@Nullable OnDevice work) {
        this.staging = staging;
        this.dispatcher = dispatcher;
        this.name = name;
        this.footprint = staging.footprint(accesses);
        this.place = place;
        this.work = work;
        this.launch = work == null ? null : new Launch(place);
        staging.requireFits(name, accesses, place);
    }

    void bind(CompiledTask its) {
        task = its;
    }

    boolean isOnDevice() {
        return work != null;
    }

    Phase phase() {
        return phase;
    }

    /** Makes the claim; false when the task is readied again once all is in place, or cannot be. */
    boolean begin() {
        staging.expect(place, 1);
        DataClaim its = staging.claim(name, footprint, place, null, false);
        claim = its;
        phase = Phase.IN_PLACE;
        return its.begin(this::ready);
    }

    private void ready() {
        dispatcher.ready(Objects.requireNonNull(task));
    }

    /** Why not all is in place; null when it is. */
    @Nullable
    Throwable missing() {
        return claim().failure();
    }

    DataClaim claim() {
        return Objects.requireNonNull(claim);
    }

    Memory memory(Data data, Box part) {
        return claim().memory(data, part);
    }

    /** The task's accesses, as the staging works with them. */
    Footprint footprint() {
        return footprint;
    }

    /** Sends the task to its device's worker; it is readied again when the device is done. */
    void launch(WorkerContext context) {
        phase = Phase.OVER;
        context.ready(Objects.requireNonNull(launch));
    }

    /** How the device failed; null when it did not. */
    @Nullable
    Throwable error() {
        return error;
    }

    /** The task is over: what it wrote is the newest, if it ended {@code well}. */
    void release(boolean well) {
        take().release(well);
    }

    /** The task does not begin, though it has a claim: what it was to write is as it was. */
    void giveBack() {
        take().release(false, List.of());
    }

    private DataClaim take() {
        staging.expect(place, -1);
        DataClaim its = claim();
        claim = null;
        error = null;
        phase = Phase.IDLE;
        return its;
    }

    /** Runs where the device's tasks do, and tells the device. */
    private final class Launch extends Node {
        Launch(Place where) {
            place(where);
        }

        @Override
        public void run(WorkerContext context) {
            Recording.OnDevice its = Objects.requireNonNull(work);
            try {
                claim().launch(its.body(), its.numbers()).whenComplete((value, failure) -> over(failure));
            } catch (Throwable e) {
                over(e);
            }
        }

        private void over(@Nullable Throwable failure) {
            error = failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            ready();
        }

        @Override
        public String name() {
            return name;
        }
    }
}
